/** The loaded models of a server, and the running texts. */
package dev.outpost.serving.engine;
