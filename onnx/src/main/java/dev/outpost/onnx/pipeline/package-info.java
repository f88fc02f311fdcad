/** The flow of batches through the stages of a model: computation, transfers, and recovery from lost workers. */
@NullMarked
package dev.outpost.onnx.pipeline;

import org.jspecify.annotations.NullMarked;
