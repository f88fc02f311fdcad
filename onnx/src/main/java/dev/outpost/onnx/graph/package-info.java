/** Graphs in ONNX's format: read, checked, their shapes inferred, cut into stages. */
@NullMarked
package dev.outpost.onnx.graph;

import org.jspecify.annotations.NullMarked;
