package dev.outpost.runtime.onnx;

import ai.onnxruntime.OrtException;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;

/** Converts refusals by ONNX Runtime to Outpost's exceptions. */
final class OnnxFaults {
    private static final int MAX_OF_A_TEXT = 600;

    private OnnxFaults() {}

    /** A refused model is the fault of the client that sent it, unless memory ran out. */
    static OutpostException of(String op, OrtException refused) {
        String text = refused.getMessage() == null ? refused.toString() : refused.getMessage();
        String cut = text.length() > MAX_OF_A_TEXT ? text.substring(0, MAX_OF_A_TEXT) + " ..." : text;
        boolean isMemory = text.contains("bad_alloc") || text.contains("Failed to allocate memory");
        return new OutpostException(
                isMemory ? FaultKind.RESOURCES : FaultKind.USER, op + ": ONNX Runtime: " + cut, refused);
    }
}
