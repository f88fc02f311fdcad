/** The commands {@code workers} and {@code onnx}. */
package dev.outpost.cli.lan;
