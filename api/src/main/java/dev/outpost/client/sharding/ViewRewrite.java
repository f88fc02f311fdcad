package dev.outpost.client.sharding;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.sharding.Placement;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.Layout;
import java.util.List;
import java.util.Optional;

/** Rewrites views, and writes through them. If a view can be cut like its base, each member gets a part of the view. Used by one thread. */
record ViewRewrite(PlacedValues values, MemberBuilders members, Reshards reshards, CreationRewrite creations) {
    void view(Instruction instruction, AsStrided op) {
        ValuePlacements base = values.operand(instruction, 0);
        if (CreationRewrite.isOfNothing(base)) {
            creations.view(instruction, op, base);
            return;
        }
        ShardedValue shardedValue = base.main();
        Optional<PartView> view =
                PartView.of(base.type().shape(), shardedValue.sharding().placement(), op.layout());
        if (view.isPresent()) {
            Sharding sharding = shardedValue.sharding().with(view.get().placement());
            values.define(
                    instruction,
                    0,
                    views(instruction, shardedValue, sharding, view.get().layouts()));
            return;
        }
        if (PartView.isCut(shardedValue.sharding().placement())) {
            shardedValue = reshards.to(base, shardedValue.sharding().with(Placement.REPLICATE), true);
        }
        List<Layout> same = shardedValue.sharding().workers().stream()
                .map(rank -> op.layout())
                .toList();
        values.define(instruction, 0, views(instruction, shardedValue, shardedValue.sharding(), same));
    }

    private ShardedValue views(Instruction instruction, ShardedValue base, Sharding sharding, List<Layout> layouts) {
        int[] results = members.none();
        for (int member = 0; member < layouts.size(); member++) {
            int rank = sharding.workers().get(member);
            results[rank] = members.add(rank, instruction, new AsStrided(layouts.get(member)), base)
                    .result(0);
        }
        return new ShardedValue(sharding, results);
    }

    void write(Instruction instruction, StridedWrite op) {
        ValuePlacements base = values.operand(instruction, 0);
        ValuePlacements source = values.operand(instruction, 1);
        if (op.layout().equals(Layout.contiguous(base.type().shape()))) {
            replace(instruction, source, base.sharding().summed());
            return;
        }
        if (CreationRewrite.isOfNothing(base, source)) {
            creations.write(instruction, op, base, source);
            return;
        }
        ShardedValue target = base.main();
        if (target.sharding().isDue()) {
            target = reshards.to(base, target.sharding().summed(), true);
        }
        Sharding placed = target.sharding();
        List<Layout> layouts =
                target.sharding().workers().stream().map(rank -> op.layout()).toList();
        Sharding ofSource = target.sharding().with(Placement.REPLICATE);
        Optional<PartView> view =
                PartView.of(base.type().shape(), target.sharding().placement(), op.layout());
        if (view.isPresent()) {
            layouts = view.get().layouts();
            ofSource = target.sharding().with(view.get().placement());
        } else if (!target.sharding().isReplicated()) {
            target = reshards.to(base, target.sharding().with(Placement.REPLICATE), true);
        }
        ShardedValue written = reshards.to(source, ofSource, view.isEmpty());
        int[] results = members.none();
        for (int member = 0; member < layouts.size(); member++) {
            int rank = ofSource.workers().get(member);
            results[rank] = members.add(rank, instruction, new StridedWrite(layouts.get(member)), target, written)
                    .result(0);
        }
        define(instruction, new ShardedValue(target.sharding(), results), placed);
    }

    /** Rewrites a write of all elements of a value. The result gets the placement of the old value. */
    private void replace(Instruction instruction, ValuePlacements source, Sharding placed) {
        if (CreationRewrite.isOfNothing(source)) {
            creations.replace(instruction, source, placed);
            return;
        }
        ShardedValue written = reshards.to(source, placed, false);
        int[] results = members.none();
        for (int rank : placed.workers()) {
            // A view of all elements gives the result its own id.
            Layout all = Layout.contiguous(placed.partOf(source.type().shape(), rank));
            results[rank] =
                    members.add(rank, new AsStrided(all), written.local(rank)).result(0);
        }
        values.define(instruction, 0, new ShardedValue(placed, results));
    }

    /** Defines a value that was computed completely for lack of a rule, and restores its previous placement. */
    private void define(Instruction instruction, ShardedValue shardedValue, Sharding placed) {
        values.define(instruction, 0, shardedValue);
        ValuePlacements whole = values.get(instruction.result(0));
        ShardedValue part = reshards.to(whole, placed, false);
        if (part != shardedValue) {
            ValuePlacements cut = new ValuePlacements(whole.type(), part);
            cut.add(shardedValue);
            values.put(instruction.result(0), cut);
        }
    }
}
