/**
 * Division of a model over workers: the costs of its parts, the speeds of workers and links, and the search for the best
 * division.
 */
@NullMarked
package dev.outpost.onnx.plan;

import org.jspecify.annotations.NullMarked;
