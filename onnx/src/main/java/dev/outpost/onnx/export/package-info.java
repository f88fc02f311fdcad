/** What a traced module is in ONNX's format: for each instruction the nodes that compute it. */
@NullMarked
package dev.outpost.onnx.export;

import org.jspecify.annotations.NullMarked;
