/** One line of a Prometheus page. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Parses a page in Prometheus's text format. */
export async function scrape(port: number): Promise<readonly Sample[]> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  if (answer.status !== 200) throw new Error(`/metrics answered ${answer.status}`);
  return samplesOf(await answer.text());
}

const samplesOf = (text: string): readonly Sample[] =>
  text.split('\n').flatMap((line) => {
    const [, name = '', labels = '', value = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
    if (name === '') return [];
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', of = '']) => [label, of]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });

/** The value of one series; undefined when it is missing. */
export const figure = (
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined =>
  samples.find(
    (sample) => sample.name === name && Object.entries(labels).every(([label, of]) => sample.labels[label] === of),
  )?.value;
