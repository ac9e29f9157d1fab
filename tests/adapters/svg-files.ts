/** Drawings as programs export them, and references that multiply. */

const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

export const ILLUSTRATOR = `<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator 25.0.0, SVG Export Plug-In . SVG Version: 6.00 Build 0)  -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg version="1.1" id="Capa_1" ${SVG} x="0px" y="0px"
	 viewBox="0 0 200 100" style="enable-background:new 0 0 200 100;" xml:space="preserve">
<style type="text/css">
	.st0{clip-path:url(#SVGID_2_);}
	.st1{fill:#E30613;}
	.st2{opacity:1;fill:#00963F;enable-background:new    ;}
</style>
<switch><foreignObject requiredExtensions="http://ns.adobe.com/AdobeIllustrator/10.0/" width="1" height="1"></foreignObject><g>
	<defs><rect id="SVGID_1_" x="10" y="10" width="180" height="80"/></defs>
	<clipPath id="SVGID_2_"><use xlink:href="#SVGID_1_"  style="overflow:visible;"/></clipPath>
	<g class="st0"><circle class="st1" cx="10" cy="50" r="40"/><path class="st2" d="M100,50h200v50H100z"/></g>
</g></switch>
</svg>`;

export const figma = (png: string): string => `<svg width="200" height="100" viewBox="0 0 200 100" fill="none" ${SVG}>
<g clip-path="url(#clip0_1_2)">
<g filter="url(#filter0_d_1_2)"><rect x="20" y="20" width="60" height="60" rx="8" fill="#D90D0D" style="fill:#D90D0D;fill:color(display-p3 0.85 0.05 0.05);fill-opacity:1;"/></g>
<mask id="mask0" style="mask-type:alpha" maskUnits="userSpaceOnUse" x="90" y="20" width="60" height="60"><circle cx="120" cy="50" r="30" fill="#D9D9D9"/></mask>
<g mask="url(#mask0)"><rect x="90" y="20" width="60" height="60" fill="url(#pattern0)"/></g>
<rect x="155" y="20" width="40" height="60" fill="url(#paint0)"/>
</g>
<defs>
<filter id="filter0_d_1_2" x="12" y="16" width="76" height="76" filterUnits="userSpaceOnUse" color-interpolation-filters="sRGB">
<feFlood flood-opacity="0" result="BackgroundImageFix"/>
<feColorMatrix in="SourceAlpha" type="matrix" values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 127 0" result="hardAlpha"/>
<feOffset dy="4"/><feGaussianBlur stdDeviation="4"/><feComposite in2="hardAlpha" operator="out"/>
<feColorMatrix type="matrix" values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0.25 0"/>
<feBlend mode="normal" in2="BackgroundImageFix" result="effect1"/>
<feBlend mode="normal" in="SourceGraphic" in2="effect1" result="shape"/>
</filter>
<pattern id="pattern0" patternContentUnits="objectBoundingBox" width="1" height="1"><use xlink:href="#image0" transform="scale(0.025 0.05)"/></pattern>
<linearGradient id="paint0" x1="155" y1="50" x2="195" y2="50" gradientUnits="userSpaceOnUse"><stop stop-color="#FF8A00"/><stop offset="1" stop-color="#FF8A00"/></linearGradient>
<clipPath id="clip0_1_2"><rect width="200" height="100" fill="white"/></clipPath>
<image id="image0" width="40" height="20" preserveAspectRatio="none" xlink:href="data:image/png;base64,${png}"/>
</defs>
</svg>`;

export const INKSCAPE = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->
<svg:svg width="200mm" height="100mm" viewBox="0 0 200 100" version="1.1" inkscape:version="1.2"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
   xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:svg="http://www.w3.org/2000/svg" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <sodipodi:namedview id="namedview7" pagecolor="#ffffff"><inkscape:grid type="xygrid"/></sodipodi:namedview>
  <svg:defs id="defs2">
    <svg:marker id="Dot" orient="auto" refX="0" refY="0" style="overflow:visible"><svg:circle r="4" style="fill:#0000ff"/></svg:marker>
    <svg:pattern id="pat" width="10" height="10" patternUnits="userSpaceOnUse"><svg:rect width="10" height="10" style="fill:#aa0000"/></svg:pattern>
    <svg:pattern id="pat2" xlink:href="#pat" patternTransform="rotate(45)"/>
  </svg:defs>
  <svg:metadata><rdf:RDF/></svg:metadata>
  <svg:g inkscape:label="Layer 1" inkscape:groupmode="layer">
    <svg:g id="leaf"><svg:path style="fill:#008000;stroke-width:0.264583px;-inkscape-stroke:none" d="M 20,20 60,20 40,60 Z"/></svg:g>
    <svg:use x="0" y="0" xlink:href="#leaf" transform="translate(50)" width="100%" height="100%"/>
    <svg:rect style="fill:url(#pat2);stroke:none" x="120" y="20" width="60" height="60"/>
    <svg:path d="M 20,80 H 100" style="stroke:#00ff00;stroke-width:2;marker-end:url(#Dot)"/>
  </svg:g>
</svg:svg>`;

export const SKETCH = `<?xml version="1.0" encoding="UTF-8"?>
<svg width="100px" height="100px" viewBox="0 0 100 100" version="1.1" ${SVG}>
    <title>logo</title><desc>Created with Sketch.</desc>
    <defs><path d="M0,0 L100,0 L100,100 L0,100 Z" id="path-1"></path></defs>
    <g id="Page-1" stroke="none" stroke-width="1" fill="none" fill-rule="evenodd">
        <g id="logo"><mask id="mask-2" fill="white"><use xlink:href="#path-1"></use></mask><use id="Mask" fill="#FFFFFF" xlink:href="#path-1"></use>
            <g mask="url(#mask-2)" fill="#7B61FF"><circle cx="50" cy="50" r="70"/></g></g>
    </g>
</svg>`;

export const AFFINITY = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg width="100%" height="100%" viewBox="0 0 100 100" version="1.1" ${SVG} xml:space="preserve" xmlns:serif="http://www.serif.com/" style="fill-rule:evenodd;clip-rule:evenodd;stroke-linejoin:round;stroke-miterlimit:2;">
    <g serif:id="Artboard" transform="matrix(1,0,0,1,0,0)"><rect x="0" y="0" width="100" height="100" style="fill:none;"/><clipPath id="_clip1"><rect x="0" y="0" width="100" height="100"/></clipPath><g clip-path="url(#_clip1)"><path d="M10,10L90,10L90,90L10,90Z" style="fill:url(#_Linear2);"/></g></g>
    <defs><linearGradient id="_Linear2" x1="0" y1="0" x2="1" y2="0" gradientUnits="userSpaceOnUse" gradientTransform="matrix(0,80,-80,0,50,10)"><stop offset="0" style="stop-color:rgb(255,0,128);stop-opacity:1"/><stop offset="1" style="stop-color:rgb(255,0,128);stop-opacity:1"/></linearGradient></defs>
</svg>`;

export const CANVA = `<svg ${SVG} width="200" zoomAndPan="magnify" viewBox="0 0 150 75" height="100" preserveAspectRatio="xMidYMid meet" version="1.0"><defs><filter x="0%" y="0%" width="100%" height="100%" id="a1"><feColorMatrix values="0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 0" color-interpolation-filters="sRGB"/></filter><g/><clipPath id="c1"><path d="M 10 10 L 60 10 L 60 60 L 10 60 Z" clip-rule="nonzero"/></clipPath><mask id="m1"><g filter="url(#a1)"><rect x="0" width="150" fill="#000000" y="0" height="75" fill-opacity="1"/></g></mask></defs><g clip-path="url(#c1)"><path fill="#ff5757" d="M 0 0 L 70 0 L 70 70 L 0 70 Z" fill-opacity="1" fill-rule="nonzero"/></g><g mask="url(#m1)"><rect x="80" y="10" width="50" height="50" fill="#00f"/></g></svg>`;

export const word = (png: string): string =>
  `<svg width="300" height="150" ${SVG} overflow="hidden"><defs><clipPath id="clip0"><rect x="100" y="50" width="300" height="150"/></clipPath><image width="40" height="20" xlink:href="data:image/png;base64,${png}" preserveAspectRatio="none" id="img1"></image><clipPath id="clip2"><rect x="0" y="0" width="100" height="100"/></clipPath></defs><g clip-path="url(#clip0)" transform="translate(-100 -50)"><rect x="120" y="70" width="100" height="100" fill="#4472C4"/><g clip-path="url(#clip2)" transform="matrix(1 0 0 1 240 70)"><use width="100%" height="100%" xlink:href="#img1" transform="scale(2 4)"></use></g></g></svg>`;

/** One shape, repeated by `levels` of references that each refer to the previous one `times` times. */
export const copies = (levels: number, times: number): string =>
  `<g id="l0"><rect width="100" height="100" fill="#0f0"/></g>${Array.from({ length: levels }, (_, i) => `<g id="l${i + 1}">${`<use href="#l${i}"/>`.repeat(times)}</g>`).join('')}`;

/** Nested definitions of one kind, each used twice by the next. */
export function nested(kind: 'mask' | 'pattern' | 'clipPath', property: string, levels: number, times = 2): string {
  const shape = (paint: string) => `<rect width="100" height="100" fill="#0f0" ${paint}/>`.replace(/fill="#0f0" (?=fill)/, ''); // prettier-ignore
  const uses = (level: number) => (level < 0 ? '' : `${property}="url(#k${level})"`);
  const definition = (_: unknown, i: number) =>
    `<${kind} id="k${i}" width="100" height="100">${shape(uses(i - 1)).repeat(i === 0 ? 1 : times)}</${kind}>`;
  return `${Array.from({ length: levels }, definition).join('')}${shape(uses(levels - 1))}`;
}
