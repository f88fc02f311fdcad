/** Calls of published programs by HTTP. */
package dev.outpost.serving.program;
