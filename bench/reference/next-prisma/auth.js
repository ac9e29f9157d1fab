import NextAuth from 'next-auth';
import Credentials from 'next-auth/providers/credentials';

/** Auth.js as its manual has it for passwords: the session is an encrypted JWT, and holds the tenant besides the user. */
export const { auth } = NextAuth({
  secret: process.env.AUTH_SECRET,
  trustHost: true,
  session: { strategy: 'jwt' },
  // The bench brings a cookie, so nobody signs in here.
  providers: [Credentials({ authorize: () => null })],
  callbacks: {
    session({ session, token }) {
      session.user.id = token.sub;
      session.user.tenantId = token.tenantId;
      return session;
    },
  },
});
