/** How batches pass the stages of a model: what runs on each worker, what travels in between, what happens when one is lost. */
@NullMarked
package dev.outpost.onnx.pipeline;

import org.jspecify.annotations.NullMarked;
