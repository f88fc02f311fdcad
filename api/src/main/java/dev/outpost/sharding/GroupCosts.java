package dev.outpost.sharding;

/**
 * How long members of a group take. Immutable.
 *
 * @param secondsPerMultiplication of a matrix product
 * @param secondsPerByte of what another op computes
 * @param secondsPerExchange before the first byte of an exchange
 * @param secondsPerExchangedByte of what a tensor takes that is exchanged
 */
public record GroupCosts(
        double secondsPerMultiplication,
        double secondsPerByte,
        double secondsPerExchange,
        double secondsPerExchangedByte) {

    /** How long a matrix product takes. */
    public double product(long multiplications) {
        return multiplications * secondsPerMultiplication;
    }

    /** How long an op takes that computes so many bytes. */
    public double elementwise(long bytes) {
        return bytes * secondsPerByte;
    }

    /** How long an exchange takes. A sum that all have is exchanged twice: its terms, and what they are together. */
    public double exchange(GroupExchange exchange) {
        int passes = exchange.collective().equals("all_reduce") ? 2 : 1;
        return secondsPerExchange + passes * exchange.bytes() * secondsPerExchangedByte;
    }
}
