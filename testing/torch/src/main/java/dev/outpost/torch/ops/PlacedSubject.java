package dev.outpost.torch.ops;

import dev.outpost.MachineGroup;
import dev.outpost.RemoteMachine;
import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.torch.ParityAnswer;
import dev.outpost.torch.ParityCase;
import dev.outpost.torch.ParityPack;
import dev.outpost.torch.ParitySubject;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** A subject on a group of machines that places each operand at random: cut along a dimension, or whole on some of the machines. */
public final class PlacedSubject implements ParitySubject {
    private final ParitySubject subject;
    private final MachineGroup group;
    private final long seed;

    /**
     * @param subject computes on the machine, and owns it
     * @param machine a group of machines as one
     * @param seed the seed that, with the case, determines the placements
     */
    public PlacedSubject(ParitySubject subject, RemoteMachine machine, long seed) {
        this.subject = subject;
        this.group = MachineGroup.of(machine);
        this.seed = seed;
    }

    @Override
    public boolean knows(String op) {
        return subject.knows(op);
    }

    @Override
    public ParityAnswer compute(ParityCase parityCase, ParityPack pack) {
        Random random = new Random(seed + 31L * parityCase.id().hashCode());
        return group.placing(type -> draw(type.shape(), random), () -> subject.compute(parityCase, pack));
    }

    private Sharding draw(Shape shape, Random random) {
        List<Integer> workers =
                new ArrayList<>(IntStream.range(0, group.size()).boxed().toList());
        Collections.shuffle(workers, random);
        if (random.nextInt(4) == 0) {
            workers = workers.subList(0, 1 + random.nextInt(workers.size()));
        }
        int dim = random.nextInt(shape.rank() + 1);
        return dim == shape.rank() ? new Sharding(workers, Placement.REPLICATE) : Sharding.even(workers, shape, dim);
    }

    @Override
    public void close() {
        subject.close();
    }
}
