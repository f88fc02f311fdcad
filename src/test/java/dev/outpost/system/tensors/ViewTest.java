package dev.outpost.system.tensors;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.Tensor;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests views: their elements, that they cost nothing, and refused calls. */
class ViewTest extends MockTest {

    @Test
    @Tag("quick")
    void anotherShape() {
        Tensor x = counting(2, 3);
        assertValues("[3, 2]", x.view(3, -1), 0, 1, 2, 3, 4, 5);
        assertValues("[6]", x.t().reshape(-1), 0, 3, 1, 4, 2, 5);
        assertValues("[6]", x.flatten(), 0, 1, 2, 3, 4, 5);
        assertEquals(
                "[2, 12, 5]", machine.zeros(2, 3, 4, 5).flatten(1, 2).shape().toString());
        assertEquals("[1]", machine.scalar(1).flatten().shape().toString());
        assertEquals(
                "[2, 3, 4]", machine.zeros(2, 12).unflatten(1, 3, -1).shape().toString());
        assertValues("[3, 2]", x.viewAs(machine.zeros(3, 2)), 0, 1, 2, 3, 4, 5);
    }

    @Test
    @Tag("quick")
    void shapesThatDoNotFit() {
        Tensor x = counting(2, 3);
        assertRefuses("view: [2, 3] has 6 elements, which do not fit [4, 2]", () -> x.view(4, 2));
        assertRefuses("view: [2, 3] has 6 elements, which do not fit [4, -1]", () -> x.view(4, -1));
        assertRefuses("view: only one size can be -1, got [-1, -1]", () -> x.view(-1, -1));
        assertRefuses("view: sizes must not be negative, got [-2, 3]", () -> x.view(-2, 3));
        assertRefuses(
                "view: -1 can be any size beside 0, got [0, -1]",
                () -> machine.zeros(0).view(0, -1));
        assertRefuses(
                "view: the layout [3, 2] strides [1, 3] offset 0 cannot be seen as [6] without a copy, use reshape",
                () -> x.t().view(6));
        assertRefuses("reshape: [2, 3] has 6 elements, which do not fit [5]", () -> x.reshape(5));
        assertRefuses("unflatten: [3] has 3 elements, which do not fit [2, 2]", () -> x.unflatten(1, 2, 2));
        assertRefuses("flatten: the first dimension must not come after the last, got 1 and 0", () -> x.flatten(1, 0));
    }

    @Test
    void orderOfDimensions() {
        Tensor x = counting(2, 3);
        assertValues("[3, 2]", x.transpose(0, -1), 0, 3, 1, 4, 2, 5);
        assertValues("[3, 2]", x.T(), 0, 3, 1, 4, 2, 5);
        assertEquals(
                "[4, 2, 3]", machine.zeros(2, 3, 4).permute(2, 0, 1).shape().toString());
        assertEquals("[2, 4, 3]", machine.zeros(2, 3, 4).mT().shape().toString());
        assertEquals("[3, 4, 2]", machine.zeros(2, 3, 4).movedim(0, -1).shape().toString());
        assertEquals(
                "[4, 3, 2]",
                machine.zeros(2, 3, 4)
                        .movedim(new int[] {0, 2}, new int[] {2, 0})
                        .shape()
                        .toString());
        assertRefuses("permute: each of 2 dimensions must be named once, got [0, 0]", () -> x.permute(0, 0));
        assertRefuses("permute: each of 2 dimensions must be named once, got [0]", () -> x.permute(0));
        assertRefuses("transpose: dimension out of range, expected -2 to 1, got 2", () -> x.transpose(0, 2));
        assertRefuses(
                "t: at most two dimensions are expected, got [1, 2, 3]",
                () -> x.unsqueeze(0).t());
        assertRefuses(
                "movedim: as many different sources as destinations are needed, got [0, 0] and [0, 1]",
                () -> x.movedim(new int[] {0, 0}, new int[] {0, 1}));
    }

    @Test
    void dimensionsOfSizeOne() {
        Tensor x = machine.zeros(1, 3, 1);
        assertEquals("[3]", x.squeeze().shape().toString());
        assertEquals("[1, 3]", x.squeeze(-1).shape().toString());
        assertEquals("[1, 3, 1]", x.squeeze(1).shape().toString());
        assertEquals("[1, 3, 1, 1]", x.unsqueeze(-1).shape().toString());
        assertRefuses("unsqueeze: dimension out of range, expected -4 to 3, got 4", () -> x.unsqueeze(4));
    }

    @Test
    void repetitionWithoutMemory() {
        Tensor x = counting(3, 1);
        Tensor wide = x.expand(-1, 2);
        assertValues("[3, 2]", wide, 0, 0, 1, 1, 2, 2);
        assertEquals(0, wide.stride(1));
        assertEquals("[4, 3, 2]", x.expand(4, -1, 2).shape().toString());
        assertRefuses("expand: the shape does not broadcast, got [3, 1] and [2, 2]", () -> x.expand(2, 2));
        assertRefuses("expand: -1 is not for a new dimension, got [-1, 3, 1] for [3, 1]", () -> x.expand(-1, 3, 1));
    }

    @Test
    @Tag("quick")
    void parts() {
        Tensor x = counting(3, 4);
        assertValues("[4]", x.select(0, -1), 8, 9, 10, 11);
        assertValues("[]", x.get(1, 2), 6);
        assertValues("[2, 4]", x.narrow(0, 1, 2), 4, 5, 6, 7, 8, 9, 10, 11);
        assertValues("[3, 2]", x.slice(1, 0, 100, 3), 0, 3, 4, 7, 8, 11);
        assertValues("[3, 2]", x.slice(1, -3, -1), 1, 2, 5, 6, 9, 10);
        assertEquals("[3, 0]", x.slice(1, 3, 1).shape().toString());
        assertRefuses("select: index 5 is out of range for dimension 0 of size 3", () -> x.select(0, 5));
        assertRefuses("select: index -5 is out of range for dimension 1 of size 4", () -> x.select(-1, -5));
        assertRefuses("narrow: start 2 and length 5 reach beyond dimension 0 of size 3", () -> x.narrow(0, 2, 5));
        assertRefuses("slice: the step must be positive, got -1", () -> x.slice(0, 0, 3, -1));
        assertRefuses(
                "select: a scalar has no dimensions, got dimension 0",
                () -> machine.scalar(1).select(0, 0));
    }

    @Test
    void windowsAndDiagonals() {
        assertValues("[2, 3]", counting(5).unfold(0, 3, 2), 0, 1, 2, 2, 3, 4);
        assertRefuses(
                "unfold: windows of 6 do not fit dimension 0 of size 5",
                () -> counting(5).unfold(0, 6, 1));
        Tensor x = counting(3, 4);
        assertValues("[3]", x.diagonal(), 0, 5, 10);
        assertValues("[2]", x.diagonal(2, 0, 1), 2, 7);
        assertValues("[2]", x.diagonal(-1, 0, 1), 4, 9);
        assertEquals("[0]", x.diagonal(9, 0, 1).shape().toString());
        assertRefuses("diagonal: two dimensions must differ, got 0 and -2", () -> x.diagonal(0, 0, -2));
    }

    @Test
    void anyStrides() {
        Tensor x = counting(6);
        assertValues("[2, 2]", x.asStrided(new long[] {2, 2}, new long[] {1, 3}, 1), 1, 4, 2, 5);
        assertRefuses(
                "as_strided: the view reaches beyond its base, got [2, 2] strides [1, 5] offset 1 over [6]",
                () -> x.asStrided(new long[] {2, 2}, new long[] {1, 5}, 1));
    }

    @Test
    void pieces() {
        Tensor x = counting(5, 2);
        assertEquals(List.of("[2, 2]", "[2, 2]", "[1, 2]"), shapes(x.split(2)));
        assertEquals(List.of("[3, 2]", "[2, 2]"), shapes(x.chunk(2, 0)));
        assertEquals(List.of("[2, 2]", "[2, 2]", "[1, 2]"), shapes(x.tensorSplit(3, 0)));
        assertEquals(List.of("[1, 2]", "[3, 2]", "[1, 2]"), shapes(x.tensorSplit(new long[] {1, 4}, 0)));
        assertEquals(List.of("[4, 2]", "[1, 2]"), shapes(x.split(new long[] {4, 1}, 0)));
        assertEquals(List.of("[5]", "[5]"), shapes(x.unbind(1)));
        assertEquals(List.of("[5, 1]", "[5, 1]"), shapes(x.hsplit(2)));
        assertRefuses(
                "split: the sizes must add up to 5, the size of dimension 0, got [4, 2]",
                () -> x.split(new long[] {4, 2}, 0));
        assertRefuses("vsplit: a size of 5 does not divide into 2 pieces", () -> x.vsplit(2));
        assertRefuses("chunk: the number of pieces must be positive, got 0", () -> x.chunk(0, 0));
    }

    private static List<String> shapes(List<Tensor> tensors) {
        return tensors.stream().map(tensor -> tensor.shape().toString()).toList();
    }

    @Test
    void viewsRecordNothing() {
        Tensor x = counting(4, 4);
        long before = machine.stats().opsRecorded();
        x.t().unsqueeze(0)
                .expand(3, 4, 4)
                .select(0, 1)
                .slice(0, 1, 3)
                .flatten(0, 0)
                .diagonal();
        assertEquals(before, machine.stats().opsRecorded());
    }

    @Test
    void rearrangements() {
        Tensor x = counting(2, 3);
        assertValues("[2, 3]", x.flip(1), 2, 1, 0, 5, 4, 3);
        assertValues("[2, 3]", x.flip(0, 1), 5, 4, 3, 2, 1, 0);
        assertValues("[2, 3]", x.roll(1, 1), 2, 0, 1, 5, 3, 4);
        assertValues("[2, 3]", x.roll(-2), 2, 3, 4, 5, 0, 1);
        assertValues("[3, 2]", x.rot90(1, 0, 1), 2, 5, 1, 4, 0, 3);
        assertValues("[3, 2]", x.rot90(-1, 0, 1), 3, 0, 4, 1, 5, 2);
        assertValues("[2, 6]", x.repeat(1, 2), 0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5);
        assertValues("[2, 3]", counting(3).tile(2, 1), 0, 1, 2, 0, 1, 2);
        assertValues("[6]", counting(3).repeatInterleave(2), 0, 0, 1, 1, 2, 2);
        assertValues("[2, 3]", x.tril(), 0, 0, 0, 3, 4, 0);
        assertValues("[2, 3]", x.triu(1), 0, 1, 2, 0, 0, 5);
        assertValues("[2, 2]", counting(2).add(1).diag(), 1, 0, 0, 2);
        assertValues("[3, 3]", counting(2).add(1).diagflat(-1), 0, 0, 0, 1, 0, 0, 0, 2, 0);
        assertValues("[]", x.trace(), 4);
        assertRefuses("repeat: a count for every dimension is needed, got [2] for [2, 3]", () -> x.repeat(2));
        assertRefuses("trace: a matrix is expected, got [6]", () -> x.flatten().trace());
        assertRefuses("flip: a dimension is named twice, got [0, 0]", () -> x.flip(0, -2));
    }
}
