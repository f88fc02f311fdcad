package dev.outpost.client.sharding;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.Split;

/** Moves operands to the workers on which a signal computes its ops. Used by one thread. */
record SignalRewrite(PlacedValues values, MemberBuilders members, Reshards reshards) {
    /** Returns the operands on the signal's workers, whole or with their cuts. */
    ValuePlacements[] brought(Instruction instruction, SignalPlacement signal) {
        ValuePlacements[] operands = values.operands(instruction);
        for (int position = 0; position < operands.length; position++) {
            ValuePlacements placements = operands[position];
            if (placements == null) {
                continue;
            }
            Sharding has = placements.sharding();
            if (signal.mesh().isPresent()) {
                operands[position] = onMesh(placements, signal);
                continue;
            }
            Sharding target = new Sharding(signal.workers(), Placement.REPLICATE);
            boolean isMoved = signal.how() == SignalPlacement.How.WHOLE;
            if (!isMoved && has.placement() instanceof Placement.Shard(Split split)) {
                isMoved = !has.workers().equals(signal.workers());
                target = Sharding.even(signal.workers(), placements.type().shape(), split.dim());
            }
            if (isMoved) {
                // Forgets the versions in other placements, so that the operand stays cut.
                operands[position] = placed(placements, target);
            }
        }
        return operands;
    }

    /**
     * Returns a value for the signal's mesh. A value on this mesh or a whole one stays as it is; a value with other
     * cuts gets the placement of data.
     */
    private ValuePlacements onMesh(ValuePlacements placements, SignalPlacement signal) {
        Sharding has = placements.sharding();
        boolean isOtherwise = switch (has.placement()) {
            case Placement.Replicate whole -> false;
            case Placement.OnMesh grid ->
                !grid.mesh().equals(signal.mesh().orElseThrow().mesh());
            case Placement.Shard shard -> true;
            case Placement.Partial due -> true;
        };
        return isOtherwise ? placed(placements, signal.ofData(placements.type().shape())) : placements;
    }

    private ValuePlacements placed(ValuePlacements placements, Sharding target) {
        return placements.isCreated()
                ? placements.meantFor(target)
                : new ValuePlacements(placements.type(), reshards.to(placements, target, false));
    }

    /** Places data of the program as the signal requires. */
    void place(Instruction instruction, SignalPlacement signal) {
        ValuePlacements placements = values.operand(instruction, 0);
        ShardedValue placed =
                reshards.to(placements, signal.ofData(placements.type().shape()), false);
        int[] results = members.none();
        for (int rank : placed.sharding().workers()) {
            results[rank] =
                    members.add(rank, instruction, instruction.op(), placed).result(0);
        }
        values.define(instruction, 0, new ShardedValue(placed.sharding(), results));
    }
}
