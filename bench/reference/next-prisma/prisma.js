import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '@prisma/client';

const adapter = new PrismaPg({ connectionString: process.env.DATABASE_URL, min: 8, max: 8 });
export const prisma = new PrismaClient({ adapter });
