"use strict";

module.exports = {
  async find(ctx) {
    ctx.body = [];
  },
};
