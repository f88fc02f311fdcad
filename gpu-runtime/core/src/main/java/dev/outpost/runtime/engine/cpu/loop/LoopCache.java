package dev.outpost.runtime.engine.cpu.loop;

import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.cpu.chain.Chains;
import dev.outpost.runtime.engine.cpu.code.Access;
import dev.outpost.runtime.engine.cpu.code.ArrayLoop;
import dev.outpost.runtime.engine.cpu.code.Expression;
import dev.outpost.runtime.engine.cpu.code.LoopSource;
import dev.outpost.runtime.engine.cpu.code.Step;
import dev.outpost.runtime.engine.cpu.tile.TilePool;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The generated loops of an engine by their source. The least recently used ones are evicted first. */
public final class LoopCache {
    private static final int SHORT = 6;
    private static final Set<Unary> COSTLY = EnumSet.of(Unary.EXP, Unary.TANH, Unary.SIGMOID, Unary.ERF);

    private final Map<LoopSource, ArrayLoop> loops = new LinkedHashMap<>(64, 0.75f, true);
    private final TilePool tiles = new TilePool(TilePool.LENGTH);
    private final TilePool rowTiles = new TilePool(TilePool.ROW_LENGTH);
    private final Chains chains;
    private final int bound;

    public LoopCache(int bound, Chains chains) {
        this.bound = bound;
        this.chains = chains;
    }

    synchronized ArrayLoop loop(LoopSource source) {
        ArrayLoop known = loops.get(source);
        if (known != null) {
            return known;
        }
        ArrayLoop loop = onTiles(source).orElseGet(source::compile);
        loops.put(source, loop);
        if (loops.size() > bound) {
            loops.remove(loops.keySet().iterator().next());
        }
        return loop;
    }

    Chains chains() {
        return chains;
    }

    TilePool rowTiles() {
        return rowTiles;
    }

    /** Returns the code of a source as readable text. */
    String listing(LoopSource.Map source) {
        return program(source)
                .map(program -> program.listing(source.accesses(), chains))
                .orElseGet(source::listing);
    }

    /**
     * Returns a tile program for long or costly expressions. The JIT itself vectorises a short loop of plain arithmetic and keeps
     * intermediate values in registers.
     */
    private static Optional<TileProgram> program(LoopSource.Map map) {
        if (map.accesses().getLast() == Access.STRIDED) {
            return Optional.empty();
        }
        Expression expression = map.expression();
        boolean isLong = expression.steps().size() - expression.operands() > SHORT;
        boolean isCostly = expression.steps().stream()
                .anyMatch(step -> step instanceof Step.ApplyUnary apply && COSTLY.contains(apply.op()));
        return isLong || isCostly ? TileProgram.of(expression) : Optional.empty();
    }

    private Optional<ArrayLoop> onTiles(LoopSource source) {
        return source instanceof LoopSource.Map map
                ? program(map)
                        .map(program -> new TileLoop(
                                program,
                                map.accesses(),
                                map.expression().results().size(),
                                tiles,
                                chains))
                : Optional.empty();
    }
}
