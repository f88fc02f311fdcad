/** ONNX Runtime as what runs models in ONNX's format. */
package dev.outpost.runtime.onnx;
