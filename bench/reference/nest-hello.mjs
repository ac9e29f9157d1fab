// Nest with its usual ValidationPipe, without a compiler: decorators are applied by hand.
import 'reflect-metadata';
import { Controller, Get, Module, Query, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

class PageQuery {
  page = 1;
  limit = 20;
}
for (const name of ['page', 'limit']) {
  for (const decorate of [IsOptional(), Type(() => Number), IsInt(), Min(1), Max(100)])
    decorate(PageQuery.prototype, name);
}

/** Listens on the port; `body` is the answer. */
export async function start(port, body) {
  class HelloController {
    hello() {
      return body;
    }
  }
  Controller()(HelloController);
  Get('hello')(HelloController.prototype, 'hello', Object.getOwnPropertyDescriptor(HelloController.prototype, 'hello'));
  Query()(HelloController.prototype, 'hello', 0);
  Reflect.defineMetadata('design:paramtypes', [PageQuery], HelloController.prototype, 'hello');
  // oxlint-disable-next-line typescript/no-extraneous-class -- what Nest calls a module
  class HelloModule {}
  Module({ controllers: [HelloController] })(HelloModule);
  const app = await NestFactory.create(HelloModule, { logger: false });
  app.useGlobalPipes(new ValidationPipe({ transform: true }));
  await app.listen(port, '127.0.0.1');
}
