/**
 * Models in ONNX's format, run by ONNX Runtime on one machine or divided over several by {@link
 * dev.outpost.onnx.OnnxPipeline}.
 */
@NullMarked
package dev.outpost.onnx;

import org.jspecify.annotations.NullMarked;
