package dev.outpost.runtime.engine;

import dev.outpost.protocol.op.Collective;
import dev.outpost.types.Split;
import java.util.Optional;
import java.util.stream.IntStream;

/** Determines if all members can perform an exchange with one library call. The answer depends only on the exchange. */
public final class WholeExchange {
    private WholeExchange() {}

    /**
     * Returns true if the members are in the order of their ranks, and the parts have one size and are either consecutive or cut along
     * two dimensions.
     */
    public static boolean is(Collective exchange) {
        boolean isWhole = switch (exchange.fn()) {
            case ALL_REDUCE, ALL_TO_ALL -> true;
            case ALL_GATHER -> isEven(exchange.from());
            case REDUCE_SCATTER -> isEven(exchange.to());
            case ALL_REDUCE_ROUNDED, SEND, RECEIVE -> false;
        };
        return isWhole && isInOrder(exchange) && exchange.type().shape().elements() > 0;
    }

    private static boolean isInOrder(Collective exchange) {
        return IntStream.range(0, exchange.members().size())
                .allMatch(place -> exchange.members().get(place) == place);
    }

    private static boolean isEven(Optional<Split> split) {
        Split cut = split.orElseThrow();
        return cut.dim() == 0 && IntStream.range(0, cut.members()).allMatch(member -> cut.size(member) == cut.size(0));
    }
}
