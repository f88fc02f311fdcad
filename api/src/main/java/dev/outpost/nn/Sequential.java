package dev.outpost.nn;

import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import java.util.Map;
import java.util.SequencedMap;

/** Calls modules one after the other, each with the output of the previous module. */
public final class Sequential extends Module {

    /** Names the modules 0, 1, 2, …. */
    public Sequential(Module... modules) {
        for (int index = 0; index < modules.length; index++) {
            register(Integer.toString(index), modules[index]);
        }
    }

    /** Uses the given names. */
    public Sequential(SequencedMap<String, Module> modules) {
        modules.forEach(this::register);
    }

    /**
     * Calls each module with the output of the previous one. The input must have the shape that the first module
     * requires.
     *
     * {@snippet file="ModuleExamplesTest.java" region="sequential"}
     */
    @Override
    public Tensor forward(Tensor input) {
        Tensor current = input;
        for (Module module : registry().children().values()) {
            current = module.call(current);
        }
        return current;
    }

    @Override
    public Sequential to(RemoteMachine machine) {
        super.to(machine);
        return this;
    }

    @Override
    public Sequential to(RemoteMachine machine, Map<String, HostTensor> stateDict) {
        super.to(machine, stateDict);
        return this;
    }

    @Override
    public Sequential to(DType dtype) {
        super.to(dtype);
        return this;
    }
}
