package dev.outpost.client.session;

import dev.outpost.client.record.RemoteValue;
import dev.outpost.protocol.op.Op;

/** The text of an instruction in logs: {@code %7 = matmul %3 %5 float32[64,128]}. */
final class InstructionText {
    private InstructionText() {}

    static String of(Op op, Object[] operands, RemoteValue[] results) {
        StringBuilder text = new StringBuilder();
        for (RemoteValue result : results) {
            text.append('%').append(result.id()).append(' ');
        }
        text.append("= ").append(op.label());
        for (Object operand : operands) {
            text.append(' ').append(operand instanceof RemoteValue value ? "%" + value.id() : operand);
        }
        return text.append(' ').append(results[0].type()).toString();
    }
}
