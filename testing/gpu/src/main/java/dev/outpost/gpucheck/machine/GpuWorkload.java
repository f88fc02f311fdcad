package dev.outpost.gpucheck.machine;

import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import java.util.List;

/** A program on a machine, and what it is called with again and again. */
record GpuWorkload(Program program, List<Tensor> inputs) implements AutoCloseable {
    static GpuWorkload of(RemoteMachine machine, Program.Body body, Tensor... inputs) {
        return new GpuWorkload(machine.program(body), List.of(inputs));
    }

    /** One call, whose results nobody looks at. */
    void step() {
        program.call(inputs.toArray(Tensor[]::new)).forEach(Tensor::close);
    }

    @Override
    public void close() {
        program.close();
        inputs.forEach(Tensor::close);
    }
}
