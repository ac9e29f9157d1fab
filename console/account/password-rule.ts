/** What a new password must be. */
export const PASSWORD_RULE = 'Al menos 8 caracteres. Una frase larga es más segura y más fácil de recordar.';
