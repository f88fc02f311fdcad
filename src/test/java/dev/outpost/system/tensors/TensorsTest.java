package dev.outpost.system.tensors;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the combination of several tensors into one, and their dtypes. */
class TensorsTest extends MockTest {

    @Test
    @Tag("quick")
    void oneAfterTheOther() {
        Tensor x = counting(2, 2);
        Tensor joined = Tensors.cat(List.of(x, indices(7, 8).view(2, 1)), -1);
        assertValues("[2, 3]", joined, 0, 1, 7, 2, 3, 8);
        assertEquals(DType.FLOAT64, joined.dtype());
        assertEquals(DType.INT64, Tensors.cat(mask(true), indices(2)).dtype());
        assertValues("[2, 2]", Tensors.cat(machine.zeros(0), x), 0, 1, 2, 3);
        assertRefuses(
                "cat: sizes must match except in dimension 0, got [2, 2] and [1, 3]",
                () -> Tensors.cat(x, counting(1, 3)));
        assertRefuses("cat: at least one tensor is needed, got none", () -> Tensors.cat(List.of()));
    }

    @Test
    void alongNewDimensions() {
        Tensor x = counting(2);
        Tensor y = x.add(2);
        assertValues("[2, 2]", Tensors.stack(x, y), 0, 1, 2, 3);
        assertValues("[2, 2]", Tensors.stack(List.of(x, y), -1), 0, 2, 1, 3);
        assertValues("[4]", Tensors.hstack(x, y), 0, 1, 2, 3);
        assertValues("[2, 2]", Tensors.vstack(x, y), 0, 1, 2, 3);
        assertValues("[1, 2, 2]", Tensors.dstack(x, y), 0, 2, 1, 3);
        assertValues("[2, 2]", Tensors.columnStack(x, y), 0, 2, 1, 3);
        assertRefuses("stack: the shapes must be equal, got [2] and [3]", () -> Tensors.stack(x, counting(3)));
    }

    @Test
    void choices() {
        Tensor x = counting(3);
        Tensor chosen = Tensors.where(x.gt(1), x, 9);
        assertValues("[3]", chosen, 9, 9, 2);
        assertEquals(
                DType.FLOAT64,
                Tensors.where(mask(true, false, true), indices(1, 2, 3), x).dtype());
        assertEquals(DType.INT64, Tensors.where(x.gt(1), 1, 0).dtype());
    }

    @Test
    void grids() {
        List<Tensor> grids = Tensors.meshgrid(counting(2), counting(3));
        assertValues("[2, 3]", grids.get(0), 0, 0, 0, 1, 1, 1);
        assertValues("[2, 3]", grids.get(1), 0, 1, 2, 0, 1, 2);
        List<Tensor> drawn = Tensors.meshgrid(Tensors.GridIndexing.XY, counting(2), counting(3));
        assertValues("[3, 2]", drawn.get(0), 0, 1, 0, 1, 0, 1);
        assertValues("[3, 2]", drawn.get(1), 0, 0, 1, 1, 2, 2);
        assertValues("[4, 2]", Tensors.cartesianProd(counting(2), counting(2)), 0, 0, 0, 1, 1, 0, 1, 1);
        assertValues("[3, 2]", Tensors.combinations(counting(3)), 0, 1, 0, 2, 1, 2);
        assertValues("[3, 2]", Tensors.combinations(counting(2), 2, true), 0, 0, 0, 1, 1, 1);
    }

    @Test
    void blocks() {
        assertValues("[3, 3]", Tensors.blockDiag(counting(2, 2), machine.scalar(7)), 0, 1, 0, 2, 3, 0, 0, 0, 7);
    }

    @Test
    void broadcasting() {
        assertEquals(
                "[2, 3]", Tensors.broadcastShapes(Shape.of(2, 1), Shape.of(3)).toString());
        assertValues(
                "[2, 2]", Tensors.broadcastTensors(counting(2, 1), counting(2)).get(0), 0, 0, 1, 1);
        assertRefuses(
                "broadcast_shapes: shapes do not broadcast, got [2] and [3]",
                () -> Tensors.broadcastShapes(Shape.of(2), Shape.of(3)));
        assertEquals("[1, 2, 1]", Tensors.atleast3d(counting(2)).shape().toString());
    }
}
