package dev.outpost.system.tensors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.Index;
import dev.outpost.Program;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An index tensor without dimensions is an integer, so it selects a view. */
class ScalarIndexTest extends MockTest {
    private Index scalar(long value) {
        return Index.of(machine.scalar(value));
    }

    @Test
    @Tag("quick")
    void aWriteThroughWhatItChoosesIsSeenByTheBase() {
        Tensor base = counting(2, 3);
        Tensor row = base.get(scalar(-1));
        row.mul_(10);
        assertValues("[2, 3]", base, 0, 1, 2, 30, 40, 50);
        base.zero_();
        assertValues("[3]", row, 0, 0, 0);
    }

    @Test
    void itStandsBesideOtherIndices() {
        assertWritten("[3, 4]", scalar(1));
        assertWritten("[2, 4]", Index.all(), scalar(1));
        assertWritten("[1, 2]", Index.slice(0, 1), scalar(1), Index.slice(null, null, 2));
        assertWritten("[4]", scalar(1), scalar(0));
        assertWritten("[]", scalar(1), scalar(0), scalar(-1));
        assertWritten("[4]", scalar(1), Index.at(2));
        assertWritten("[2, 3]", Index.ellipsis(), scalar(1));
        assertWritten("[1, 3, 4]", scalar(1), Index.newAxis());
        assertWritten("[3, 4]", Index.of(machine.scalar(1).int8()));
    }

    private void assertWritten(String shape, Index... indices) {
        Tensor base = machine.zeros(2, 3, 4);
        Tensor part = base.get(indices);
        part.fill_(1);
        assertEquals(shape, part.shape().toString());
        assertEquals(part.numel(), base.sum().itemLong());
    }

    @Test
    void besideATensorWithDimensionsItIsACopy() {
        Tensor base = machine.zeros(2, 3, 4);
        base.get(scalar(1), Index.of(indices(0, 1))).fill_(1);
        base.get(Index.of(indices(1))).fill_(1);
        base.get(Index.of(machine.scalar(true)), scalar(1)).fill_(1);
        assertEquals(0, base.sum().itemDouble());
    }

    @Test
    void gradientsFlowThroughTheView() {
        Tensor x = counting(2, 3).requiresGrad(true);
        Tensor y = x.mul(1);
        y.get(scalar(1)).mul_(3);
        y.sum().backward();
        assertValues("[2, 3]", x.grad(), 1, 1, 1, 3, 3, 3);
    }

    @Test
    void outOfRangeIsRefusedAtOnce() {
        Tensor base = machine.zeros(2);
        assertThrows(OutpostException.class, () -> base.get(scalar(2)));
        assertThrows(OutpostException.class, () -> base.get(scalar(-3)));
    }

    @Test
    void bytesAreAMask() {
        Tensor base = counting(3);
        assertValues("[2]", base.get(Index.of(indices(1, 0, 2).uint8())), 0, 2);
        assertValues("[1, 3]", base.get(Index.of(machine.scalar(1).to(DType.UINT8))), 0, 1, 2);
        base.set(9, Index.of(indices(0, 1, 0).uint8()));
        assertValues("[3]", base, 0, 9, 2);
    }

    /** The selected part is known only when the program runs. */
    @Test
    void inAProgramItIsReadButNotWritten() {
        Program read =
                machine.program(in -> List.of(in.get(0).get(Index.of(in.get(1))).mul(2)));
        assertValues("[3]", read.call(counting(2, 3), machine.scalar(1)).getFirst(), 6, 8, 10);
        Program write =
                machine.program(in -> List.of(in.get(0).get(Index.of(in.get(1))).mul_(2)));
        assertRefuses(
                "assign: in a program, what a tensor of one index chooses is a copy; write it by set(value, index),"
                        + " got float64[3]",
                () -> write.call(counting(2, 3), machine.scalar(1)));
    }
}
