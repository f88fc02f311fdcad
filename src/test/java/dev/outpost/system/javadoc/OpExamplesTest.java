package dev.outpost.system.javadoc;

import dev.outpost.Generator;
import dev.outpost.Index;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.ops.DivMode;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Examples of the Javadoc of ops. */
class OpExamplesTest extends JavadocExamples {
    @Test
    void tensor() {
        // @start region="tensor"
        println(machine.tensor(new float[] {1, 2, 3, 4, 5, 6}, 2, 3));
        // tensor([[1., 2., 3.],
        //         [4., 5., 6.]])
        println(machine.tensor(new long[] {7, 8}).dtype()); // int64
        // @end
    }

    @Test
    void nestedTensor() {
        // @start region="nestedTensor"
        println(machine.tensor(new float[][] {{1, 2, 3}, {4, 5, 6}}));
        // tensor([[1., 2., 3.],
        //         [4., 5., 6.]])
        println(machine.tensor(new long[][][] {{{1}, {2}}}).shape()); // [1, 2, 1]
        // @end
    }

    @Test
    void listTensor() {
        // @start region="listTensor"
        println(machine.tensor(List.of(List.of(1, 2), List.of(3, 4))).dtype()); // int64
        println(machine.tensor(List.of(0.5, 2))); // tensor([0.5000, 2.0000])
        // @end
    }

    @Test
    void scalar() {
        // @start region="scalar"
        Tensor x = machine.scalar(3);
        println(x.dim() + " dimensions of " + x.dtype()); // 0 dimensions of int64
        println(machine.scalar(0.5).dtype()); // float32
        // @end
    }

    @Test
    void zeros() {
        // @start region="zeros"
        println(machine.zeros(2, 3));
        // tensor([[0., 0., 0.],
        //         [0., 0., 0.]])
        // @end
    }

    @Test
    void ones() {
        // @start region="ones"
        println(machine.ones(DType.INT64, 3)); // tensor([1, 1, 1])
        // @end
    }

    @Test
    void full() {
        // @start region="full"
        println(machine.full(2.5, DType.FLOAT64, 2)); // tensor([2.5000, 2.5000], dtype=float64)
        // @end
    }

    @Test
    void arange() {
        // @start region="arange"
        println(machine.arange(4)); // tensor([0, 1, 2, 3])
        println(machine.arange(0, 1, 0.25, DType.FLOAT32)); // tensor([0.0000, 0.2500, 0.5000, 0.7500])
        // @end
    }

    @Test
    void linspace() {
        // @start region="linspace"
        println(machine.linspace(0, 1, 5)); // tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
        // @end
    }

    @Test
    void eye() {
        // @start region="eye"
        println(machine.eye(2));
        // tensor([[1., 0.],
        //         [0., 1.]])
        // @end
    }

    @Test
    void rand() {
        // @start region="rand"
        Tensor x = machine.rand(2, 3);
        println(x.type()); // float32[2,3]
        println(x.ge(0).logicalAnd(x.lt(1)).all().item()); // true
        // @end
    }

    @Test
    void randn() {
        // @start region="randn"
        machine.manualSeed(1);
        Tensor x = machine.randn(10_000);
        println(Math.abs(x.mean().itemDouble()) < 0.05); // true
        println(Math.abs(x.std().itemDouble() - 1) < 0.05); // true
        // @end
    }

    @Test
    void randint() {
        // @start region="randint"
        Tensor dice = machine.randint(1, 7, 100);
        println(dice.dtype() + " from " + dice.min().item() + " to "
                + dice.max().item()); // int64 from 1 to 6
        // @end
    }

    @Test
    void randperm() {
        // @start region="randperm"
        Tensor order = machine.randperm(5);
        println(order.sort().values()); // tensor([0, 1, 2, 3, 4])
        // @end
    }

    @Test
    void zerosLike() {
        // @start region="zerosLike"
        Tensor x = machine.ones(2);
        println(x.zerosLike()); // tensor([0., 0.])
        println(x.zerosLike(DType.INT64)); // tensor([0, 0])
        // @end
    }

    @Test
    void generator() {
        // @start region="generator"
        Generator generator = new Generator(7);
        Tensor first = machine.rand(generator, 3);
        generator.manualSeed(7);
        println(machine.rand(generator, 3).equal(first)); // true
        // @end
    }

    @Test
    void add() {
        // @start region="add"
        Tensor column = machine.tensor(new float[] {1, 2}, 2, 1);
        Tensor row = machine.tensor(new float[] {10, 20, 30});
        println(column.add(row));
        // tensor([[11., 21., 31.],
        //         [12., 22., 32.]])
        // @end
    }

    @Test
    void sub() {
        // @start region="sub"
        println(machine.tensor(new float[] {5, 7}).sub(machine.tensor(new float[] {1, 2}))); // tensor([4., 5.])
        // @end
    }

    @Test
    void mul() {
        // @start region="mul"
        println(machine.tensor(new long[] {1, 2, 3}).mul(2)); // tensor([2, 4, 6])
        // @end
    }

    @Test
    void div() {
        // @start region="div"
        Tensor x = machine.tensor(new long[] {7, -7});
        println(x.div(2)); // tensor([ 3.5000, -3.5000])
        println(x.div(2, DivMode.FLOOR)); // tensor([ 3, -4])
        println(x.div(2, DivMode.TRUNC)); // tensor([ 3, -3])
        // @end
    }

    @Test
    void remainder() {
        // @start region="remainder"
        println(machine.tensor(new long[] {7, -7}).remainder(3)); // tensor([1, 2])
        // @end
    }

    @Test
    void pow() {
        // @start region="pow"
        println(machine.tensor(new float[] {1, 2, 3}).pow(2)); // tensor([1., 4., 9.])
        // @end
    }

    @Test
    void maximum() {
        // @start region="maximum"
        Tensor x = machine.tensor(new float[] {1, 5});
        println(x.maximum(machine.tensor(new float[] {3, 2}))); // tensor([3., 5.])
        // @end
    }

    @Test
    void neg() {
        // @start region="neg"
        println(machine.tensor(new float[] {1, -2}).neg()); // tensor([-1.,  2.])
        // @end
    }

    @Test
    void abs() {
        // @start region="abs"
        println(machine.tensor(new float[] {-1.5f, 2}).abs()); // tensor([1.5000, 2.0000])
        // @end
    }

    @Test
    void sqrt() {
        // @start region="sqrt"
        println(machine.tensor(new float[] {4, 9, -1}).sqrt()); // tensor([2., 3., nan])
        // @end
    }

    @Test
    void exp() {
        // @start region="exp"
        println(machine.tensor(new float[] {0, 1}).exp()); // tensor([1.0000, 2.7183])
        // @end
    }

    @Test
    void log() {
        // @start region="log"
        println(machine.tensor(new float[] {1, 0}).log()); // tensor([0., -inf])
        // @end
    }

    @Test
    void round() {
        // @start region="round"
        println(machine.tensor(new float[] {0.5f, 1.5f, -2.4f}).round()); // tensor([ 0.,  2., -2.])
        // @end
    }

    @Test
    void clamp() {
        // @start region="clamp"
        println(machine.tensor(new float[] {-2, 0.5f, 3}).clamp(0, 1)); // tensor([0.0000, 0.5000, 1.0000])
        // @end
    }

    @Test
    void to() {
        // @start region="to"
        Tensor x = machine.tensor(new float[] {1.9f, -1.9f, 0});
        println(x.to(DType.INT64)); // tensor([ 1, -1,  0])
        println(x.to(DType.BOOL)); // tensor([ True,  True, False])
        // @end
    }

    @Test
    void where() {
        // @start region="where"
        Tensor x = machine.tensor(new float[] {-1, 2});
        println(x.where(x.gt(0), 0)); // tensor([0., 2.])
        // @end
    }

    @Test
    void maskedFill() {
        // @start region="maskedFill"
        Tensor x = machine.tensor(new float[] {1, 2, 3});
        println(x.maskedFill(x.gt(1), 9)); // tensor([1., 9., 9.])
        // @end
    }

    @Test
    void eq() {
        // @start region="eq"
        println(machine.tensor(new long[] {1, 2}).eq(machine.tensor(new long[] {1, 3}))); // tensor([ True, False])
        // @end
    }

    @Test
    void gt() {
        // @start region="gt"
        println(machine.tensor(new float[] {1, 2, Float.NaN}).gt(1.5)); // tensor([False,  True, False])
        // @end
    }

    @Test
    void isnan() {
        // @start region="isnan"
        println(machine.tensor(new float[] {1, Float.NaN}).isnan()); // tensor([False,  True])
        // @end
    }

    @Test
    void logicalNot() {
        // @start region="logicalNot"
        println(machine.tensor(new float[] {0, 2}).logicalNot()); // tensor([ True, False])
        // @end
    }

    @Test
    void allclose() {
        // @start region="allclose"
        Tensor x = machine.tensor(new float[] {1, 2});
        println(x.allclose(x.add(1e-7))); // true
        println(x.allclose(x.add(0.1))); // false
        // @end
    }

    @Test
    void equal() {
        // @start region="equal"
        Tensor x = machine.tensor(new float[] {1, 2});
        println(x.equal(x.clone())); // true
        println(x.equal(x.unsqueeze(0))); // false
        // @end
    }

    @Test
    void sum() {
        // @start region="sum"
        Tensor x = machine.tensor(new float[] {1, 2, 3, 4, 5, 6}, 2, 3);
        println(x.sum()); // tensor(21.)
        println(x.sum(1)); // tensor([ 6., 15.])
        println(x.sum(1, true));
        // tensor([[ 6.],
        //         [15.]])
        // @end
    }

    @Test
    void mean() {
        // @start region="mean"
        Tensor x = machine.tensor(new float[] {1, 2, 3, 4}, 2, 2);
        println(x.mean()); // tensor(2.5000)
        println(x.mean(0)); // tensor([2., 3.])
        // @end
    }

    @Test
    void var() {
        // @start region="var"
        Tensor x = machine.tensor(new float[] {1, 2, 3, 4});
        println(x.var()); // tensor(1.6667)
        println(x.var(0, 0, false)); // tensor(1.2500)
        // @end
    }

    @Test
    void std() {
        // @start region="std"
        println(machine.tensor(new float[] {2, 4}).std()); // tensor(1.4142)
        // @end
    }

    @Test
    void norm() {
        // @start region="norm"
        println(machine.tensor(new float[] {3, 4}).norm()); // tensor(5.)
        println(machine.tensor(new float[] {3, -4}).norm(1)); // tensor(7.)
        // @end
    }

    @Test
    void logsumexp() {
        // @start region="logsumexp"
        println(machine.tensor(new float[] {1000, 1000}).logsumexp(0)); // tensor(1000.6932)
        // @end
    }

    @Test
    void max() {
        // @start region="max"
        ValuesAndIndices best =
                machine.tensor(new float[] {1, 5, 2, 7, 0, 3}, 2, 3).max(1);
        println(best.values()); // tensor([5., 7.])
        println(best.indices()); // tensor([1, 0])
        // @end
    }

    @Test
    void argmax() {
        // @start region="argmax"
        println(machine.tensor(new float[] {1, 9, 3}).argmax()); // tensor(1)
        // @end
    }

    @Test
    void any() {
        // @start region="any"
        Tensor x = machine.tensor(new boolean[] {false, true});
        println(x.any()); // tensor(True)
        println(x.all()); // tensor(False)
        // @end
    }

    @Test
    void all() {
        // @start region="all"
        println(machine.tensor(new float[] {1, 2, 0}).all()); // tensor(False)
        // @end
    }

    @Test
    void prod() {
        // @start region="prod"
        println(machine.tensor(new long[] {2, 3, 4}).prod()); // tensor(24)
        // @end
    }

    @Test
    void cumsum() {
        // @start region="cumsum"
        println(machine.tensor(new long[] {1, 2, 3}).cumsum(0)); // tensor([1, 3, 6])
        // @end
    }

    @Test
    void sort() {
        // @start region="sort"
        ValuesAndIndices sorted = machine.tensor(new float[] {3, 1, 2}).sort();
        println(sorted.values()); // tensor([1., 2., 3.])
        println(sorted.indices()); // tensor([1, 2, 0])
        // @end
    }

    @Test
    void topk() {
        // @start region="topk"
        ValuesAndIndices top = machine.tensor(new float[] {3, 1, 4, 2}).topk(2);
        println(top.values()); // tensor([4., 3.])
        println(top.indices()); // tensor([2, 0])
        // @end
    }

    @Test
    void unique() {
        // @start region="unique"
        println(machine.tensor(new long[] {3, 1, 3}).unique()); // tensor([1, 3])
        // @end
    }

    @Test
    void searchsorted() {
        // @start region="searchsorted"
        Tensor sorted = machine.tensor(new float[] {1, 3, 5});
        println(sorted.searchsorted(machine.tensor(new float[] {3, 4}), false)); // tensor([1, 2])
        // @end
    }

    @Test
    void view() {
        // @start region="view"
        Tensor x = machine.arange(6);
        Tensor matrix = x.view(2, -1);
        matrix.fill_(7);
        println(x); // tensor([7, 7, 7, 7, 7, 7])
        // @end
    }

    @Test
    void reshape() {
        // @start region="reshape"
        println(machine.arange(4).reshape(2, 2).t().reshape(4)); // tensor([0, 2, 1, 3])
        // @end
    }

    @Test
    void flatten() {
        // @start region="flatten"
        println(machine.zeros(2, 3, 4).flatten(1).shape()); // [2, 12]
        // @end
    }

    @Test
    void permute() {
        // @start region="permute"
        println(machine.zeros(2, 3, 4).permute(2, 0, 1).shape()); // [4, 2, 3]
        // @end
    }

    @Test
    void transpose() {
        // @start region="transpose"
        println(machine.arange(6).view(2, 3).transpose(0, 1));
        // tensor([[0, 3],
        //         [1, 4],
        //         [2, 5]])
        // @end
    }

    @Test
    void squeeze() {
        // @start region="squeeze"
        println(machine.zeros(1, 3, 1).squeeze().shape()); // [3]
        // @end
    }

    @Test
    void unsqueeze() {
        // @start region="unsqueeze"
        println(machine.zeros(3).unsqueeze(0).shape()); // [1, 3]
        println(machine.zeros(3).unsqueeze(-1).shape()); // [3, 1]
        // @end
    }

    @Test
    void expand() {
        // @start region="expand"
        println(machine.arange(2).view(2, 1).expand(2, 3));
        // tensor([[0, 0, 0],
        //         [1, 1, 1]])
        // @end
    }

    @Test
    void narrow() {
        // @start region="narrow"
        println(machine.arange(5).narrow(0, 1, 3)); // tensor([1, 2, 3])
        // @end
    }

    @Test
    void slice() {
        // @start region="slice"
        Tensor x = machine.arange(6);
        println(x.slice(0, 1, 5, 2)); // tensor([1, 3])
        println(x.slice(0, -2)); // tensor([4, 5])
        // @end
    }

    @Test
    void select() {
        // @start region="select"
        println(machine.arange(6).view(2, 3).select(1, -1)); // tensor([2, 5])
        // @end
    }

    @Test
    void chunk() {
        // @start region="chunk"
        println(machine.arange(5).chunk(2, 0));
        // [tensor([0, 1, 2]), tensor([3, 4])]
        // @end
    }

    @Test
    void split() {
        // @start region="split"
        println(machine.arange(5).split(2));
        // [tensor([0, 1]), tensor([2, 3]), tensor([4])]
        // @end
    }

    @Test
    void get() {
        // @start region="get"
        Tensor x = machine.arange(6).view(2, 3);
        println(x.get(Index.at(1))); // tensor([3, 4, 5])
        println(x.get(Index.all(), Index.from(1)));
        // tensor([[1, 2],
        //         [4, 5]])
        println(x.get("..., ::2"));
        // tensor([[0, 2],
        //         [3, 5]])
        // @end
    }

    @Test
    void set() {
        // @start region="set"
        Tensor x = machine.zeros(2, 3);
        x.set(5, Index.at(0), Index.from(1));
        println(x);
        // tensor([[0., 5., 5.],
        //         [0., 0., 0.]])
        // @end
    }

    @Test
    void gather() {
        // @start region="gather"
        Tensor scores = machine.tensor(new float[] {1, 2, 3, 4, 5, 6}, 2, 3);
        Tensor classes = machine.tensor(new long[] {2, 0}, 2, 1);
        println(scores.gather(1, classes));
        // tensor([[3.],
        //         [4.]])
        // @end
    }

    @Test
    void indexSelect() {
        // @start region="indexSelect"
        Tensor x = machine.arange(6).view(3, 2);
        println(x.indexSelect(0, machine.tensor(new long[] {2, 0})));
        // tensor([[4, 5],
        //         [0, 1]])
        // @end
    }

    @Test
    void maskedSelect() {
        // @start region="maskedSelect"
        Tensor x = machine.arange(5);
        println(x.maskedSelect(x.gt(2))); // tensor([3, 4])
        // @end
    }

    @Test
    void nonzero() {
        // @start region="nonzero"
        println(machine.tensor(new long[] {0, 5, 7}).nonzero());
        // tensor([[1],
        //         [2]])
        // @end
    }

    @Test
    void scatterAdd() {
        // @start region="scatterAdd"
        Tensor counts = machine.zeros(3);
        Tensor bins = machine.tensor(new long[] {0, 2, 2});
        println(counts.scatterAdd(0, bins, machine.ones(3))); // tensor([1., 0., 2.])
        // @end
    }

    @Test
    void flip() {
        // @start region="flip"
        println(machine.arange(3).flip(0)); // tensor([2, 1, 0])
        // @end
    }

    @Test
    void roll() {
        // @start region="roll"
        println(machine.arange(4).roll(1)); // tensor([3, 0, 1, 2])
        // @end
    }

    @Test
    void repeat() {
        // @start region="repeat"
        println(machine.arange(2).repeat(2, 2));
        // tensor([[0, 1, 0, 1],
        //         [0, 1, 0, 1]])
        // @end
    }

    @Test
    void tril() {
        // @start region="tril"
        println(machine.ones(2, 2).tril());
        // tensor([[1., 0.],
        //         [1., 1.]])
        // @end
    }

    @Test
    void pad() {
        // @start region="pad"
        println(machine.ones(2).pad(0, 1, 2)); // tensor([0., 1., 1., 0., 0.])
        // @end
    }

    @Test
    void cat() {
        // @start region="cat"
        Tensor x = machine.arange(2);
        println(Tensors.cat(x, machine.arange(3))); // tensor([0, 1, 0, 1, 2])
        // @end
    }

    @Test
    void stack() {
        // @start region="stack"
        Tensor x = machine.arange(2);
        println(Tensors.stack(x, x.add(2)));
        // tensor([[0, 1],
        //         [2, 3]])
        // @end
    }

    @Test
    void meshgrid() {
        // @start region="meshgrid"
        println(Tensors.meshgrid(machine.arange(2), machine.arange(3)).getFirst());
        // tensor([[0, 0, 0],
        //         [1, 1, 1]])
        // @end
    }

    @Test
    void matmul() {
        // @start region="matmul"
        Tensor a = machine.tensor(new float[] {1, 2, 3, 4, 5, 6}, 2, 3);
        Tensor b = machine.tensor(new float[] {1, 0, 0, 1, 1, 1}, 3, 2);
        println(a.matmul(b));
        // tensor([[ 4.,  5.],
        //         [10., 11.]])
        println(a.matmul(machine.tensor(new float[] {1, 0, 0}))); // tensor([1., 4.])
        // @end
    }

    @Test
    void matmulErrors() {
        // @start region="matmulErrors"
        Tensor a = machine.zeros(2, 3);
        try {
            a.matmul(machine.zeros(4, 5));
        } catch (OpException failure) {
            println(failure.getMessage()); // matmul: inner dimensions differ, got [2, 3] and [4, 5]
        }
        // @end
    }

    @Test
    void mm() {
        // @start region="mm"
        println(machine.ones(2, 3).mm(machine.ones(3, 1)));
        // tensor([[3.],
        //         [3.]])
        // @end
    }

    @Test
    void bmm() {
        // @start region="bmm"
        println(machine.ones(8, 2, 3).bmm(machine.ones(8, 3, 4)).shape()); // [8, 2, 4]
        // @end
    }

    @Test
    void dot() {
        // @start region="dot"
        println(machine.tensor(new float[] {1, 2}).dot(machine.tensor(new float[] {3, 4}))); // tensor(11.)
        // @end
    }

    @Test
    void einsum() {
        // @start region="einsum"
        Tensor x = machine.tensor(new float[] {1, 2, 3, 4}, 2, 2);
        println(x.einsum("ii->i")); // tensor([1., 4.])
        // @end
    }

    @Test
    void relu() {
        // @start region="relu"
        println(machine.tensor(new float[] {-1, 2}).relu()); // tensor([0., 2.])
        // @end
    }

    @Test
    void gelu() {
        // @start region="gelu"
        println(machine.tensor(new float[] {-1, 0, 1}).gelu()); // tensor([-0.1587,  0.0000,  0.8413])
        // @end
    }

    @Test
    void sigmoid() {
        // @start region="sigmoid"
        println(machine.tensor(new float[] {0, 2}).sigmoid()); // tensor([0.5000, 0.8808])
        // @end
    }

    @Test
    void softmax() {
        // @start region="softmax"
        println(machine.tensor(new float[] {1, 2, 3}).softmax(0)); // tensor([0.0900, 0.2447, 0.6652])
        // @end
    }

    @Test
    void logSoftmax() {
        // @start region="logSoftmax"
        println(machine.tensor(new float[] {1, 1}).logSoftmax(0)); // tensor([-0.6931, -0.6931])
        // @end
    }

    @Test
    void add_() {
        // @start region="add_"
        Tensor x = machine.zeros(2, 2);
        x.select(0, 1).add_(1);
        println(x);
        // tensor([[0., 0.],
        //         [1., 1.]])
        // @end
    }

    @Test
    void copy_() {
        // @start region="copy_"
        Tensor x = machine.zeros(2, 2);
        println(x.copy_(machine.tensor(new float[] {1, 2})));
        // tensor([[1., 2.],
        //         [1., 2.]])
        // @end
    }

    @Test
    void zero_() {
        // @start region="zero_"
        println(machine.ones(3).zero_()); // tensor([0., 0., 0.])
        // @end
    }

    @Test
    void fill_() {
        // @start region="fill_"
        println(machine.zeros(DType.INT64, 3).fill_(4)); // tensor([4, 4, 4])
        // @end
    }
}
