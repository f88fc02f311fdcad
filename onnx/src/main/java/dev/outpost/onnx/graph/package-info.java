/** Graphs in ONNX's format: reading, validation, shape inference, and cuts into stages. */
@NullMarked
package dev.outpost.onnx.graph;

import org.jspecify.annotations.NullMarked;
