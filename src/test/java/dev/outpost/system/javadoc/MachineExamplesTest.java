package dev.outpost.system.javadoc;

import dev.outpost.EmitMode;
import dev.outpost.Generator;
import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.MachineName;
import dev.outpost.MachineOptions;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scan;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.source.Source;
import dev.outpost.types.OutpostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Examples of the Javadoc of machines, programs and tensor handles. */
class MachineExamplesTest extends JavadocExamples {
    @Test
    void of() {
        // @start region="of"
        try (RemoteMachine gpu = RemoteMachine.of("mock", "A100")) {
            Tensor x = gpu.ones(2, 3);
            println(x.matmul(x.t()).sum().item()); // 12.0
        }
        // @end
    }

    @Test
    void openedMachine() {
        // @start region="openedMachine"
        System.setProperty("outpost.machine", "mock:A100"); // or OUTPOST_MACHINE=mock:A100
        try (RemoteMachine gpu = RemoteMachine.open()) {
            println(gpu.tensor(new float[][] {{1, 2}, {3, 4}}).sum().itemDouble()); // 10.0
        }
        // @end
        System.clearProperty("outpost.machine");
    }

    @Test
    void machineName() {
        // @start region="machineName"
        println(MachineName.parse("process:anyx2")); // process:anyx2
        println(MachineName.parse("gpu-host:50051")); // gpu-host:50051
        try (RemoteMachine gpu = RemoteMachine.open(MachineName.parse("mock"), new MachineOptions())) {
            println(gpu.ones(3).sum().itemDouble()); // 3.0
        }
        // @end
    }

    @Test
    void options() {
        // @start region="options"
        MachineOptions options = new MachineOptions().traces(true).closeLimit(Duration.ofSeconds(5));
        try (RemoteMachine gpu = RemoteMachine.of("mock", "A100", options)) {
            println(gpu.ones(3).sum().item()); // 3.0
        }
        // @end
    }

    @Test
    void eager() {
        // @start region="eager"
        try (RemoteMachine gpu = RemoteMachine.of("mock", "A100", new MachineOptions().eager(true))) {
            Tensor rows = gpu.ones(3, 2);
            Tensor indices = gpu.tensor(new long[] {7});
            try {
                rows.indexSelect(0, indices); // throws here, not where the result is read
            } catch (OutpostException failure) {
                println(failure.kind()); // USER
            }
        }
        // @end
    }

    @Test
    void gpuCount() {
        // @start region="gpuCount"
        try (RemoteMachine gpus = RemoteMachine.of("mock", "A100", 2)) {
            println(MachineGroup.of(gpus).size()); // 2
        }
        // @end
    }

    @Test
    void manualSeed() {
        // @start region="manualSeed"
        machine.manualSeed(7);
        Tensor first = machine.randn(3);
        machine.manualSeed(7);
        println(machine.randn(3).equal(first)); // true
        // @end
    }

    @Test
    void randomState() {
        // @start region="randomState"
        Generator.State saved = machine.randomState();
        Tensor first = machine.randn(3);
        machine.randomState(saved);
        println(machine.randn(3).equal(first)); // true
        // @end
    }

    @Test
    void synchronize() {
        // @start region="synchronize"
        Tensor x = machine.tensor(new long[] {1, 2, 3});
        Tensor chosen = x.indexSelect(0, machine.tensor(new long[] {5}));
        try {
            machine.synchronize();
        } catch (OutpostException failure) {
            println(failure.kind()); // USER
        }
        chosen.close();
        // @end
    }

    @Test
    void heldValues() {
        // @start region="heldValues"
        try (RemoteMachine gpu = RemoteMachine.of("mock", "A100")) {
            Tensor x = gpu.ones(3);
            println(gpu.heldValues()); // 1
            x.close();
            println(gpu.heldValues()); // 0
        }
        // @end
    }

    @Test
    void scope() {
        // @start region="scope"
        Tensor sum;
        try (Scope scope = machine.scope()) {
            Tensor x = machine.arange(10);
            sum = scope.keep(x.mul(x).sum());
        }
        println(sum.item()); // 285
        // @end
    }

    @Test
    void tidy() {
        // @start region="tidy"
        Tensor x = machine.tensor(new float[] {1, 2});
        Tensor y = Scope.tidy(() -> x.mul(x).add(1)); // closes the product
        println(y); // tensor([2., 5.])
        // @end
    }

    @Test
    void save(@TempDir Path folder) {
        // @start region="save"
        MachineOptions options = new MachineOptions().option("sources", "file:" + folder);
        try (RemoteMachine gpu = RemoteMachine.of("mock", "A100", options)) {
            String uri = "file:" + folder + "/model";
            println(gpu.save(uri, Map.of("weight", gpu.ones(2, 3))) + " bytes"); // 128 bytes
            println(gpu.open(uri).tensors().keySet()); // [weight]
        }
        // @end
    }

    @Test
    void pause(@TempDir Path folder) {
        // @start region="pause"
        String store = "file:" + folder;
        MachineOptions options = new MachineOptions().option("sources", store).store(store);
        try (RemoteMachine gpu = RemoteMachine.of("mock", "A100", options)) {
            Tensor x = gpu.ones(2, 3);
            gpu.pause();
            println(x.sum().itemDouble()); // 6.0
        }
        // @end
    }

    @Test
    void keep() {
        // @start region="keep"
        RemoteMachine first = RemoteMachine.of("mock", "A100");
        Tensor x = first.ones(2, 3);
        first.keep("x", x);
        x.add_(1);
        String key = first.handOver();
        try (RemoteMachine next = RemoteMachine.attach(key)) {
            println(next.kept("x").sum().itemDouble()); // 12.0
        }
        // @end
    }

    @Test
    void open(@TempDir Path folder) {
        // @start region="open"
        MachineOptions options = new MachineOptions().option("sources", "file:" + folder);
        try (RemoteMachine gpu = RemoteMachine.of("mock", "A100", options)) {
            gpu.save("file:" + folder, Map.of("weight", gpu.ones(2, 3)));
            Source source = gpu.open("file:" + folder);
            println(source.tensor("weight").shape()); // [2, 3]
        }
        // @end
    }

    @Test
    void program() {
        // @start region="program"
        Program step = machine.program(inputs -> List.of(inputs.get(0).mul(2).add(inputs.get(1))));
        Tensor x = machine.tensor(new float[] {1, 2});
        Tensor y = machine.tensor(new float[] {10, 20});
        println(step.call(x, y).getFirst()); // tensor([12., 24.])
        println(step.call(x.add(1), y).getFirst()); // tensor([14., 26.])
        println(step.traces()); // 1
        // @end
    }

    @Test
    void scan() {
        // @start region="scan"
        Program twice = machine.program(inputs -> List.of(inputs.get(0).mul(2)));
        Scan scan = machine.scan(twice, List.of(machine.scalar(1)), 10);
        println(scan.carry().getFirst().item()); // 1024
        // @end
    }

    @Test
    void emissions() {
        // @start region="emissions"
        Program twice = machine.program(inputs -> List.of(inputs.get(0).mul(2), inputs.get(0)));
        Scan scan = machine.scan(twice, List.of(machine.scalar(1)), 3);
        for (List<HostTensor> emitted : scan.emissions()) {
            println(emitted.getFirst().item());
        }
        // 1
        // 2
        // 4
        // @end
    }

    @Test
    void scanUntil() {
        // @start region="scanUntil"
        Program twice = machine.program(inputs -> {
            Tensor doubled = inputs.get(0).mul(2);
            return List.of(doubled, doubled.gt(100));
        });
        Scan scan = machine.scanUntil(twice, List.of(machine.scalar(1)), 1000);
        println(scan.carry().getFirst().item() + " after " + scan.iterations() + " runs"); // 128 after 7 runs
        // @end
    }

    @Test
    void stacked() {
        // @start region="stacked"
        Program squares =
                machine.program(inputs -> List.of(inputs.get(0), inputs.get(1).mul(inputs.get(1))));
        Scan scan = machine.scan(squares, List.of(machine.scalar(0)), 4, EmitMode.STACK);
        println(scan.stacked().getFirst()); // tensor([0, 1, 4, 9])
        // @end
    }

    @Test
    void group() {
        // @start region="group"
        try (MachineGroup group = MachineGroup.of("mock", "A100", 2)) {
            Tensor x = group.sharded(HostTensor.of(new float[] {1, 2, 3, 4}), 0);
            println(x.placement()); // shard(0) at [0, 2, 4] on [0, 1]
            println(x.sum().item()); // 10.0
        }
        // @end
    }

    @Test
    void dataParallel() {
        // @start region="dataParallel"
        try (MachineGroup group = MachineGroup.of("mock", "A100", 2)) {
            group.dataParallel();
            println(group.tensor(new float[] {1, 2, 3, 4}).placement()); // shard(0) at [0, 2, 4] on [0, 1]
            println(group.machine().ones(4).placement()); // replicate on [0, 1]
        }
        // @end
    }

    @Test
    void sharded() {
        // @start region="sharded"
        try (MachineGroup group = MachineGroup.of("mock", "A100", 2)) {
            Tensor x = group.sharded(HostTensor.of(new float[] {1, 2, 3}), 0);
            println(x.placement()); // shard(0) at [0, 2, 3] on [0, 1]
            println(x.add(1)); // tensor([2., 3., 4.])
        }
        // @end
    }

    @Test
    void hostTensor() {
        // @start region="hostTensor"
        HostTensor host = HostTensor.of(new float[] {1, 2, 3, 4}, 2, 2);
        println(host.getDouble(2)); // 3.0
        println(host.to(machine).sum().item()); // 10.0
        // @end
    }

    @Test
    void nestedArrays() {
        // @start region="nestedArrays"
        HostTensor host = HostTensor.of(new int[][] {{1, 2}, {3, 4}, {5, 6}});
        println(host.dtype() + " " + host.shape()); // int32 [3, 2]
        println(host.toLongArray2d()[2][0]); // 5
        // @end
    }

    @Test
    void rows() {
        // @start region="rows"
        println(HostTensor.of(new long[] {1, 2, 3, 4}, 2, 2).rows(1, 1));
        // tensor([[3, 4],
        //         [3, 4]])
        // @end
    }

    @Test
    void hostStack() {
        // @start region="hostStack"
        println(HostTensor.stack(List.of(HostTensor.of(new long[] {1, 2}), HostTensor.of(new long[] {3, 4}))));
        // tensor([[1, 2],
        //         [3, 4]])
        // @end
    }

    @Test
    void toFloatArray() {
        // @start region="toFloatArray"
        Tensor x = machine.tensor(new float[] {1, 2}).add(1);
        println(Arrays.toString(x.toFloatArray())); // [2.0, 3.0]
        // @end
    }

    @Test
    void item() {
        // @start region="item"
        println(machine.tensor(new long[] {1, 2}).sum().item()); // 3
        println(machine.scalar(0.5).item()); // 0.5
        println(machine.scalar(true).item()); // true
        // @end
    }

    @Test
    void itemDouble() {
        // @start region="itemDouble"
        println(machine.tensor(new float[] {1, 2}).mean().itemDouble()); // 1.5
        // @end
    }

    @Test
    void toHost() {
        // @start region="toHost"
        HostTensor values = machine.arange(4).view(2, 2).toHost();
        println(values.shape() + " " + values.dtype()); // [2, 2] int64
        // @end
    }

    @Test
    void fetch() {
        // @start region="fetch"
        Tensor x = machine.zeros(2);
        CompletableFuture<HostTensor> before = x.fetch();
        x.add_(1);
        println(before.join()); // tensor([0., 0.])
        // @end
    }

    @Test
    void copyTo() {
        // @start region="copyTo"
        float[] buffer = new float[4];
        machine.tensor(new float[] {1, 2}).copyTo(buffer);
        println(Arrays.toString(buffer)); // [1.0, 2.0, 0.0, 0.0]
        // @end
    }

    @Test
    void shape() {
        // @start region="shape"
        Tensor x = machine.zeros(2, 3);
        println(x.shape()); // [2, 3]
        println(x.size(-1) + " columns, " + x.numel() + " elements"); // 3 columns, 6 elements
        // @end
    }

    @Test
    void cloned() {
        // @start region="cloned"
        Tensor x = machine.zeros(2);
        Tensor copy = x.clone();
        x.add_(1);
        println(copy); // tensor([0., 0.])
        // @end
    }

    @Test
    void contiguous() {
        // @start region="contiguous"
        Tensor x = machine.arange(6).view(2, 3).t();
        println(x.isContiguous() + " " + x.contiguous().isContiguous()); // false true
        // @end
    }

    @Test
    void close() {
        // @start region="close"
        Tensor x = machine.ones(2);
        x.close();
        println(x.isClosed()); // true
        // @end
    }

    @Test
    void explain() {
        // @start region="explain"
        Tensor x = machine.ones(2, 2);
        println(x.add(1).mul(2).explain().toString().contains("mul")); // true
        // @end
    }
}
