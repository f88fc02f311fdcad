/** The models that a server has loaded, and texts under way. */
package dev.outpost.serving.engine;
