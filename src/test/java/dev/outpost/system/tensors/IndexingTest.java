package dev.outpost.system.tensors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.Index;
import dev.outpost.Tensor;
import dev.outpost.ops.ScatterReduce;
import dev.outpost.ops.UniqueResult;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.types.OutpostException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests reads and writes by index tensors and masks, with PyTorch's rules. */
class IndexingTest extends MockTest {

    @Test
    @Tag("quick")
    void bracketsThatAreViews() {
        Tensor x = counting(2, 3, 4);
        assertValues("[4]", x.get(Index.at(-1), Index.at(0)), 12, 13, 14, 15);
        assertValues("[2, 3]", x.get(Index.ellipsis(), Index.at(1)), 1, 5, 9, 13, 17, 21);
        assertValues("[2]", x.get(Index.all(), Index.at(0), Index.at(0)), 0, 12);
        assertValues("[1, 1, 4]", x.get(Index.at(1), Index.newAxis(), Index.slice(2L, null)), 20, 21, 22, 23);
        assertValues("[2]", x.get(Index.at(0), Index.at(0), Index.slice(null, null, 2)), 0, 2);
    }

    @Test
    void slicesWithoutAStartOrAnEnd() {
        Tensor x = counting(2, 4);
        assertValues("[2, 2]", x.get(Index.all(), Index.slice(2, null)), 2, 3, 6, 7);
        assertValues("[2, 2]", x.get(Index.all(), Index.slice(-2, null)), 2, 3, 6, 7);
        assertValues("[2, 1]", x.get(Index.all(), Index.slice(null, 1)), 0, 4);
        assertValues("[2, 1]", x.get(Index.all(), Index.from(3)), 3, 7);
        assertValues("[2, 2]", x.get(Index.all(), Index.slice(1, null, 2)), 1, 3, 5, 7);
        assertValues("[2, 2]", x.get(Index.all(), Index.slice(null, 3, 2)), 0, 2, 4, 6);
        assertValues("[2, 2]", x.get(Index.all(), Index.slice(0, 3, 2)), 0, 2, 4, 6);
        assertValues("[2, 2]", x.slice(1, 2), 2, 3, 6, 7);
        assertValues("[2, 2]", x.slice(1, 2, null), 2, 3, 6, 7);
        assertValues("[2, 3]", x.slice(1, null, -1), 0, 1, 2, 4, 5, 6);
    }

    @Test
    void bracketsThatDoNotFit() {
        Tensor x = counting(2, 3);
        assertRefuses("get: too many indices, got 3 for [2, 3]", () -> x.get(Index.at(0), Index.all(), Index.all()));
        assertRefuses("get: only one ellipsis is possible, got 2", () -> x.get(Index.ellipsis(), Index.ellipsis()));
        assertRefuses(
                "get: a mask of [3] does not fit [2, 3] from dimension 0 on",
                () -> x.get(Index.of(mask(true, false, true))));
        assertRefuses(
                "get: the index must be int64, got float64; cast with to(DType.INT64)",
                () -> x.get(Index.of(counting(2))));
        assertRefuses(
                "get: shapes do not broadcast, got [2] and [3]",
                () -> x.get(Index.of(indices(0, 1)), Index.of(indices(0, 1, 2))));
    }

    @Test
    @Tag("quick")
    void oneIndexTensor() {
        Tensor x = counting(3, 2);
        assertValues("[2, 2]", x.get(Index.of(indices(2, -3))), 4, 5, 0, 1);
        assertValues("[3, 3]", x.get(Index.all(), Index.of(indices(1, 1, 0))), 1, 1, 0, 3, 3, 2, 5, 5, 4);
        assertValues("[2, 1, 2]", x.get(Index.of(indices(2, 0).view(2, 1))), 4, 5, 0, 1);
        assertValues("[2]", x.get(Index.of(machine.scalar(1))), 2, 3);
    }

    @Test
    void severalIndexTensorsStandWhereTheyAreOrInFront() {
        Tensor x = counting(2, 3, 4);
        Index pair = Index.of(indices(1, 2));
        assertValues("[2, 2]", x.get(Index.all(), pair, pair), 5, 10, 17, 22);
        assertValues("[2, 3]", x.get(Index.of(indices(1, 0)), Index.all(), pair), 13, 17, 21, 2, 6, 10);
        assertEquals(
                "[2, 2, 4]",
                x.get(Index.of(indices(1, 0).view(2, 1)), Index.of(indices(2, 0)))
                        .shape()
                        .toString());
    }

    @Test
    void anIntegerTensorHasNoSayInThePlacing() {
        Tensor x = counting(2, 3, 4);
        Tensor chosen = x.get(Index.of(machine.scalar(1)), Index.all(), Index.of(indices(3, 0)));
        assertValues("[3, 2]", chosen, 15, 12, 19, 16, 23, 20);
    }

    @Test
    @Tag("quick")
    void masks() {
        Tensor x = counting(2, 3);
        Tensor odd = x.remainder(2).eq(1);
        assertValues("[3]", x.get(Index.of(odd)), 1, 3, 5);
        assertValues("[3]", x.maskedSelect(odd), 1, 3, 5);
        assertValues("[2, 1]", x.get(Index.all(), Index.of(mask(false, true, false))), 1, 4);
        assertValues("[0, 3]", x.get(Index.of(mask(false, false))));
        assertValues("[1, 2]", x.get(Index.of(mask(false, true)), Index.slice(1, 3)), 4, 5);
        assertValues("[2, 3]", x.maskedScatter(odd, counting(9).add(10)), 0, 10, 2, 11, 4, 12);
        assertRefuses(
                "masked_select: the mask must be bool, got float64; cast with to(DType.BOOL)", () -> x.maskedSelect(x));
    }

    @Test
    @Tag("quick")
    void anIndexOutOfBoundsComesHome() {
        Tensor chosen = counting(3, 2).get(Index.of(indices(0, 3)));
        String message = assertThrows(OutpostException.class, chosen::toHost).getMessage();
        assertTrue(message.startsWith("index: index 3 is out of bounds for dimension of size 3"), message);
    }

    @Test
    @Tag("quick")
    void assignment() {
        Tensor x = counting(2, 3);
        x.set(7, Index.at(0), Index.slice(1L, null));
        assertValues("[2, 3]", x, 0, 7, 7, 3, 4, 5);
        x.set(machine.tensor(new double[] {8, 9}), Index.at(1), Index.of(indices(2, 0)));
        assertValues("[2, 3]", x, 0, 7, 7, 9, 4, 8);
        x.set(-1, Index.of(x.eq(7)));
        assertValues("[2, 3]", x, 0, -1, -1, 9, 4, 8);
        x.set(machine.tensor(new long[] {1, 2}).view(1, 2), Index.all(), Index.at(0));
        assertValues("[2, 3]", x, 1, -1, -1, 2, 4, 8);
        assertRefuses("set: the value does not broadcast, got [2] for [3]", () -> x.set(indices(1, 2), Index.at(0)));
    }

    @Test
    void assignmentThroughSeparatedIndexTensors() {
        Tensor x = machine.zeros(2, 2, 2);
        x.set(counting(2, 2).add(1), Index.of(indices(0, 1)), Index.all(), Index.of(indices(1, 0)));
        assertValues("[2, 2, 2]", x, 0, 1, 0, 2, 3, 0, 4, 0);
    }

    @Test
    void indexPut() {
        Tensor x = machine.zeros(3);
        Tensor[] twice = {indices(1, 1)};
        assertValues("[3]", x.indexPut(twice, counting(2).add(1).float32(), true), 0, 3, 0);
        assertValues("[3]", x.indexPut(twice, counting(2).add(1).float32(), false), 0, 2, 0);
        assertValues(
                "[2, 3]",
                machine.zeros(2, 3).indexPut(new Tensor[] {null, indices(1)}, machine.ones(1), false),
                0,
                1,
                0,
                0,
                1,
                0);
    }

    @Test
    void gatherAndScatter() {
        Tensor x = counting(2, 3);
        Tensor index = indices(2, 0, 1, 1).view(2, 2);
        assertValues("[2, 2]", x.gather(1, index), 2, 0, 4, 4);
        assertValues("[2, 3]", x.scatter(1, index, -1), -1, 1, -1, 3, -1, 5);
        assertValues("[2, 3]", x.scatterAdd(1, index, counting(2, 2)), 1, 1, 2, 3, 9, 5);
        assertValues("[2, 1]", x.takeAlongDim(indices(2).view(1, 1), 1), 2, 5);
        assertValues("[2]", x.take(indices(-1, 1)), 5, 1);
        assertValues("[2, 3]", x.put(indices(-1, 1), counting(2).add(7), false), 0, 8, 2, 3, 4, 7);
        assertRefuses("gather: the index must be int64, got float64; cast with to(DType.INT64)", () -> x.gather(1, x));
        String message = assertThrows(
                        OutpostException.class,
                        () -> x.gather(1, indices(3).view(1, 1)).toHost())
                .getMessage();
        assertTrue(message.startsWith("gather: index 3 is out of bounds for dimension 1 with size 3"), message);
    }

    @Test
    void scatterReduce() {
        Tensor base = machine.tensor(new double[] {5, -1, 2}, 3);
        Tensor index = indices(0, 0, 1);
        Tensor source = machine.tensor(new double[] {2, 8, -4}, 3);
        assertValues("[3]", base.scatterReduce(0, index, source, ScatterReduce.SUM, true), 15, -5, 2);
        assertValues("[3]", base.scatterReduce(0, index, source, ScatterReduce.SUM, false), 10, -4, 2);
        assertValues("[3]", base.scatterReduce(0, index, source, ScatterReduce.PROD, false), 16, -4, 2);
        assertValues("[3]", base.scatterReduce(0, index, source, ScatterReduce.MEAN, true), 5, -2.5, 2);
        assertValues("[3]", base.scatterReduce(0, index, source, ScatterReduce.MEAN, false), 5, -4, 2);
        assertValues("[3]", base.scatterReduce(0, index, source, ScatterReduce.AMAX, false), 8, -4, 2);
        assertValues("[3]", base.scatterReduce(0, index, source, ScatterReduce.AMIN, true), 2, -4, 2);
    }

    @Test
    void slicesByIndex() {
        Tensor x = counting(3, 2);
        Tensor index = indices(2, 0);
        assertValues("[2, 2]", x.indexSelect(0, index), 4, 5, 0, 1);
        assertValues("[3, 2]", x.indexAdd(0, index, counting(2, 2).add(10), 2), 24, 27, 2, 3, 24, 27);
        assertValues("[3, 2]", x.indexCopy(0, index, counting(2, 2)), 2, 3, 2, 3, 0, 1);
        assertValues("[3, 2]", x.indexFill(0, index, 9), 9, 9, 2, 3, 9, 9);
        x.indexFill_(1, indices(0), -1);
        assertValues("[3, 2]", x, -1, 1, -1, 3, -1, 5);
    }

    @Test
    void nonzero() {
        Tensor x = machine.tensor(new double[] {0, 3, 0, 4}, 2, 2);
        assertValues("[2, 2]", x.nonzero(), 0, 1, 1, 1);
        assertValues("[2]", x.nonzeroAsTuple().get(1), 1, 1);
        assertValues("[0, 1]", machine.zeros(3).nonzero());
    }

    @Test
    void order() {
        Tensor x = machine.tensor(new double[] {3, 1, 2, 1, Double.NaN, 0}, 2, 3);
        ValuesAndIndices sorted = x.sort(1, true);
        assertValues("[2, 3]", sorted.values(), 3, 2, 1, Double.NaN, 1, 0);
        assertValues("[2, 3]", sorted.indices(), 0, 2, 1, 1, 0, 2);
        assertValues("[2, 2]", x.topk(2, 1, false, true).values(), 1, 2, 0, 1);
        assertValues("[2]", x.kthvalue(2, 1, false).values(), 2, 1);
        assertValues("[2]", x.median(1, false).values(), 2, Double.NaN);
        assertValues("[2, 1]", x.nanmedian(1, true).values(), 2, 0);
        assertValues("[]", counting(4).median(), 1);
        assertRefuses("topk: k must be between 0 and 3, the size of dimension 1, got 4", () -> x.topk(4));
        assertRefuses(
                "kthvalue: k must be between 1 and 3, the size of dimension 1, got 0", () -> x.kthvalue(0, 1, false));
        ValuesAndIndices mode = indices(2, 1, 2, 1, 0).mode(0, false);
        assertValues("[]", mode.values(), 1);
        assertValues("[]", mode.indices(), 3);
    }

    @Test
    void repetitions() {
        UniqueResult found = indices(3, 1, 3, 2, 1).unique(true, true, true);
        assertValues("[3]", found.values(), 1, 2, 3);
        assertValues("[5]", found.inverse(), 2, 0, 2, 1, 0);
        assertValues("[3]", found.counts(), 2, 1, 2);
        Tensor rows = indices(1, 2, 0, 5, 1, 2).view(3, 2);
        UniqueResult slices = rows.unique(true, true, true, 0);
        assertValues("[2, 2]", slices.values(), 0, 5, 1, 2);
        assertValues("[3]", slices.inverse(), 1, 0, 1);
        assertValues("[2]", slices.counts(), 1, 2);
        UniqueResult runs = indices(1, 1, 2, 1).uniqueConsecutive(true, true);
        assertValues("[3]", runs.values(), 1, 2, 1);
        assertValues("[4]", runs.inverse(), 0, 0, 1, 2);
        assertValues("[3]", runs.counts(), 2, 1, 1);
        assertValues("[0]", machine.zeros(0).unique());
    }

    @Test
    void places() {
        Tensor sorted = counting(4).mul(2);
        Tensor values = machine.tensor(new double[] {-1, 2, 7}, 3);
        assertValues("[3]", sorted.searchsorted(values, false), 0, 1, 4);
        assertValues("[3]", values.bucketize(sorted, true), 0, 2, 4);
        assertValues("[4]", indices(1, 3, 1).bincount(), 0, 2, 0, 1);
        assertValues("[5]", indices(1, 3, 1).bincount(null, 5), 0, 2, 0, 1, 0);
        assertValues("[3]", values.isin(indices(2, 7)), 0, 1, 1);
    }

    @Test
    void resultOfUnknownShapeWaitsOnce() {
        Tensor x = counting(4);
        Tensor odd = x.remainder(2).eq(1);
        long before = machine.stats().waits();
        Tensor chosen = x.get(Index.of(odd));
        assertEquals("[2]", chosen.shape().toString());
        assertEquals(before + 1, machine.stats().waits());
    }
}
