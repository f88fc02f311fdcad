/**
 * Models in ONNX's format, run by ONNX Runtime on one machine or cut over several. {@link dev.outpost.onnx.OnnxPipeline} runs
 * one.
 */
@NullMarked
package dev.outpost.onnx;

import org.jspecify.annotations.NullMarked;
