package dev.outpost.runtime.engine;

import dev.outpost.protocol.op.Collective;
import dev.outpost.types.Split;
import java.util.Optional;
import java.util.stream.IntStream;

/** Which exchanges are one call of a library by all members, as far as that can be told from the exchange alone. */
public final class WholeExchange {
    private WholeExchange() {}

    /** Members are in the order of their ranks. Parts have one size and lie one behind the other, or are cut along two dimensions. */
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
