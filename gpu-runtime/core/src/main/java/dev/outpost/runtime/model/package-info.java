/** Models of other libraries that sessions open and run, such as those in ONNX's format. */
package dev.outpost.runtime.model;
