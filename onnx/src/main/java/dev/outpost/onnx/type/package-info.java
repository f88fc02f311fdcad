/** The types that all other packages of the module share: how activations travel, and what is refused. */
@NullMarked
package dev.outpost.onnx.type;

import org.jspecify.annotations.NullMarked;
