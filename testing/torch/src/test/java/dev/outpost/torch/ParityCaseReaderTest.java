package dev.outpost.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.torch.Argument.BoolArgument;
import dev.outpost.torch.Argument.DTypeArgument;
import dev.outpost.torch.Argument.EllipsisArgument;
import dev.outpost.torch.Argument.FloatArgument;
import dev.outpost.torch.Argument.IntegerArgument;
import dev.outpost.torch.Argument.ListArgument;
import dev.outpost.torch.Argument.NullArgument;
import dev.outpost.torch.Argument.SliceArgument;
import dev.outpost.torch.Argument.TensorArgument;
import dev.outpost.torch.Argument.TextArgument;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ParityCaseReaderTest {
    private static List<Argument> arguments(String json) {
        return ParityCaseReader.read("{\"id\":\"x\",\"op\":\"x\",\"args\":" + json + "}")
                .arguments();
    }

    @Test
    void readsEveryFormOfArgument() {
        assertEquals(
                List.of(
                        new TensorArgument("t1", true),
                        new TensorArgument("t2", false),
                        new DTypeArgument(DType.INT64),
                        new SliceArgument(OptionalLong.of(0), OptionalLong.empty(), OptionalLong.of(-1)),
                        new EllipsisArgument(),
                        new IntegerArgument(3),
                        new FloatArgument(3),
                        new FloatArgument(Double.NEGATIVE_INFINITY),
                        new FloatArgument(Double.NaN),
                        new BoolArgument(true),
                        new TextArgument("mean"),
                        new NullArgument(),
                        new ListArgument(List.of(new IntegerArgument(1), new ListArgument(List.of())))),
                arguments("""
                    [{"tensor":"t1","requires_grad":true}, {"tensor":"t2"}, {"dtype":"int64"},
                     {"slice":[0,null,-1]}, {"ellipsis":true}, 3, 3.0, {"float":"-inf"}, {"float":"nan"}, true,
                     "mean", null, [1, []]]
                    """.replace("\n", "")));
    }

    @Test
    void readsAWholeCase() {
        ParityCase parityCase = ParityCaseReader.read("{\"id\":\"cat/float32/0\",\"op\":\"cat\",\"variant\":\"v\","
                + "\"args\":[[{\"tensor\":\"t1\",\"requires_grad\":true},{\"tensor\":\"t2\"}]],"
                + "\"kwargs\":{\"out\":{\"tensor\":\"t3\",\"requires_grad\":true},\"dim\":-1},"
                + "\"outputs\":[\"t4\",\"t5\"],\"cotangents\":{\"1\":\"t6\"},\"grads\":[\"t7\",null]}");
        assertEquals("cat/float32/0", parityCase.id());
        assertEquals("v", parityCase.variant());
        assertEquals(
                List.of("out", "dim"), List.copyOf(parityCase.keywordArguments().keySet()));
        assertEquals(List.of("t4", "t5"), parityCase.outputs());
        assertEquals(Map.of(1, "t6"), parityCase.cotangents());
        assertEquals(List.of(Optional.of("t7"), Optional.empty()), parityCase.gradients());
        assertEquals(List.of(new TensorArgument("t1", true), new TensorArgument("t3", true)), parityCase.leaves());
        assertFalse(parityCase.isRefused());
    }

    @Test
    void readsARefusal() {
        ParityCase parityCase = ParityCaseReader.read("{\"id\":\"arange/error/0\",\"op\":\"arange\",\"variant\":\"\","
                + "\"args\":[0,3,0],\"kwargs\":{},\"error\":true,\"torch_message\":\"step must be nonzer\"}");
        assertTrue(parityCase.isRefused());
        assertEquals("step must be nonzer", parityCase.refusal());
        assertTrue(parityCase.outputs().isEmpty() && parityCase.gradients().isEmpty());
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertProblem("an argument of no known form, got {\"device\":\"cpu\"}", "[{\"device\":\"cpu\"}]");
        assertProblem("an integer of more than 64 bits, got 9223372036854775808", "[9223372036854775808]");
    }

    private static void assertProblem(String problem, String json) {
        var refused = assertThrows(MalformedException.class, () -> arguments(json));
        assertEquals("malformed input: " + problem, refused.getMessage());
    }
}
