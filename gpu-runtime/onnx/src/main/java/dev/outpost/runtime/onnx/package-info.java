/** Runs ONNX models with ONNX Runtime. */
package dev.outpost.runtime.onnx;
