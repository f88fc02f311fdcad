/** The export of traced modules to ONNX's format: each instruction becomes the nodes that compute it. */
@NullMarked
package dev.outpost.onnx.export;

import org.jspecify.annotations.NullMarked;
