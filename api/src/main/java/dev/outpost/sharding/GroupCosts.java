package dev.outpost.sharding;

/**
 * Measured costs of a group's members. Immutable.
 *
 * @param secondsPerMultiplication the time of a matrix product, per multiplication
 * @param secondsPerByte the time of another op, per byte of its results
 * @param secondsPerExchange the time of an exchange before its first byte
 * @param secondsPerExchangedByte the time of an exchange, per byte of the tensor
 */
public record GroupCosts(
        double secondsPerMultiplication,
        double secondsPerByte,
        double secondsPerExchange,
        double secondsPerExchangedByte) {

    /** Returns the seconds of a matrix product. */
    public double product(long multiplications) {
        return multiplications * secondsPerMultiplication;
    }

    /** Returns the seconds of an op with results of this size. */
    public double elementwise(long bytes) {
        return bytes * secondsPerByte;
    }

    /** Returns the seconds of an exchange. An all-reduce sends twice as many bytes: the terms, and the sum. */
    public double exchange(GroupExchange exchange) {
        int passes = exchange.collective().equals("all_reduce") ? 2 : 1;
        return secondsPerExchange + passes * exchange.bytes() * secondsPerExchangedByte;
    }
}
