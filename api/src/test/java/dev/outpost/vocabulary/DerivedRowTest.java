package dev.outpost.vocabulary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rows that are derived from a signature and a typed method. The parity pack compares their results with PyTorch's. */
class DerivedRowTest {
    private static Signatures signatures(String... texts) {
        String op = texts[0].substring(0, texts[0].indexOf('('));
        return new Signatures(op, List.of(texts).stream().map(Signature::parse).toList());
    }

    private static OpCall call(Signatures declared, Object... arguments) {
        return new OpCall(declared.op(), declared, null, List.of(arguments), Map.of());
    }

    @Test
    void aSignatureWithoutATypedMethodIsRefusedAtOnce() {
        Signatures unknown = signatures("no_such_op(Tensor input)");
        assertThrows(IllegalStateException.class, () -> DerivedRow.of(unknown));
        Signatures words = signatures("erfcx(str input)");
        assertThrows(IllegalStateException.class, () -> DerivedRow.of(words));
    }

    @Test
    void anArgumentOfAnotherTypeIsNamed() {
        Signatures erfcx = signatures("special.erfcx(Tensor input)");
        ArgumentTypeException refusal = assertThrows(
                ArgumentTypeException.class, () -> DerivedRow.of(erfcx).apply(call(erfcx, 2)));
        assertEquals("special.erfcx: input must be a tensor, got 2", refusal.getMessage());
    }
}
