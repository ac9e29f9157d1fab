/** The page where an operator enters the token, once a day. Without scripts and external resources. */
export const loginPage = (complaint = ''): string => `<!doctype html>
<html lang="es-MX">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Servidor de códec</title>
<h1>Servidor de códec</h1>
<p>Con la clave, la interfaz de Temporal muestra lo que está cifrado, en este navegador y por 12 horas.</p>
<form method="post" action="/login">
<p><label>Clave (CODEC_TOKEN)<br><input name="token" type="password" autocomplete="current-password" required autofocus></label></p>
${complaint && `<p role="alert">${complaint}</p>`}
<p><button>Entrar</button></p>
</form>
</html>
`;
