package dev.outpost.gpucheck.machine;

import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import java.util.List;

/** A program on a machine, with the arguments of its repeated calls. */
record GpuWorkload(Program program, List<Tensor> inputs) implements AutoCloseable {
    static GpuWorkload of(RemoteMachine machine, Program.Body body, Tensor... inputs) {
        return new GpuWorkload(machine.program(body), List.of(inputs));
    }

    /** Makes one call without reading its results. */
    void step() {
        program.call(inputs.toArray(Tensor[]::new)).forEach(Tensor::close);
    }

    @Override
    public void close() {
        program.close();
        inputs.forEach(Tensor::close);
    }
}
