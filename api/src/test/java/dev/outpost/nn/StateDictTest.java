package dev.outpost.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class StateDictTest {
    private final Linear layer = new Linear(2, 3);
    private final Map<String, HostTensor> state = new HashMap<>(Map.of(
            "weight", HostTensor.of(new float[] {1, 2, 3, 4, 5, 6}, 3, 2), "bias", HostTensor.of(new float[] {7, 8, 9
            })));

    @Test
    void stateLoadedBeforeTheStartIsKept() {
        layer.loadStateDict(state);
        assertEquals(state, layer.stateDict());
        assertEquals(List.of("weight", "bias"), List.copyOf(layer.stateDict().keySet()));
    }

    @Test
    void valuesTakeTheModulesDType() {
        layer.to(DType.FLOAT64);
        layer.loadStateDict(state);
        assertEquals(HostTensor.of(new double[] {7, 8, 9}), layer.stateDict().get("bias"));
    }

    @Test
    void namesAndShapesThatDifferAreAllNamed() {
        state.remove("bias");
        state.put("scale", HostTensor.of(new float[1]));
        state.put("weight", HostTensor.of(new float[6], 2, 3));
        assertRefused(
                "load_state_dict: weight has another shape, the module has [3, 2], got [2, 3]; missing bias; "
                        + "unexpected scale",
                true);
        assertRefused("load_state_dict: weight has another shape, the module has [3, 2], got [2, 3]", false);
    }

    @Test
    void nonStrictLoadAllowsOtherNames() {
        state.remove("bias");
        state.put("scale", HostTensor.of(new float[1]));
        IncompatibleKeys keys = layer.loadStateDict(state, false);
        assertEquals(new IncompatibleKeys(List.of("bias"), List.of("scale")), keys);
        state.remove("scale");
        state.put("bias", HostTensor.of(new float[3]));
        assertTrue(layer.loadStateDict(state, false).isEmpty());
    }

    private void assertRefused(String message, boolean strict) {
        OpException refusal = assertThrows(OpException.class, () -> layer.loadStateDict(state, strict));
        assertEquals(message, refusal.getMessage());
    }
}
