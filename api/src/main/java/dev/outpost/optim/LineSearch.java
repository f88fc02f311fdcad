package dev.outpost.optim;

import dev.outpost.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * Searches along a direction for a step that meets the strong Wolfe conditions: first for an interval that contains
 * such a step, then within the interval by cubic interpolation (Nocedal and Wright, "Numerical Optimization", 3.5;
 * like torch.optim.lbfgs._strong_wolfe).
 */
final class LineSearch {
    private static final double SUFFICIENT_DECREASE = 1e-4;
    private static final double CURVATURE = 0.9;
    private static final int MAX = 25;

    private final DoubleFunction<Found> evaluate;
    private final double toleranceChange;
    private final List<Found> seen = new ArrayList<>();
    private int steps;

    /**
     * A point on the line.
     *
     * @param step the distance from the start
     * @param loss the loss at this point
     * @param gradient the gradient at this point
     * @param slope the slope of the loss along the direction
     * @param evaluations the number of loss computations so far
     */
    record Found(double step, double loss, Tensor gradient, double slope, int evaluations) {}

    LineSearch(DoubleFunction<Found> evaluate, double toleranceChange) {
        this.evaluate = evaluate;
        this.toleranceChange = toleranceChange;
    }

    /**
     * Returns the point that was found, which may be the start. The caller closes its gradient.
     *
     * @param length the largest element of the direction
     */
    Found run(double first, double loss, Tensor gradient, double slope, double length) {
        Found start = new Found(0, loss, gradient, slope, 0);
        Found before = start;
        Found now = at(first);
        Found low = null;
        Found high = null;
        boolean isDone = false;
        while (steps < MAX) {
            if (now.loss > loss + SUFFICIENT_DECREASE * now.step * slope || steps > 0 && now.loss >= before.loss) {
                low = before;
                high = now;
                break;
            }
            if (Math.abs(now.slope) <= -CURVATURE * slope) {
                low = now;
                high = now;
                isDone = true;
                break;
            }
            if (now.slope >= 0) {
                low = before;
                high = now;
                break;
            }
            double min = now.step + 0.01 * (now.step - before.step);
            double next = cubic(before, now, min, now.step * 10);
            before = now;
            now = at(next);
            steps++;
        }
        if (low == null) {
            low = start;
            high = now;
        }
        if (low.loss > high.loss) {
            Found exchanged = low;
            low = high;
            high = exchanged;
        }
        Found best = isDone ? low : zoom(start, low, high, length);
        seen.stream().filter(each -> each != best).forEach(each -> each.gradient.close());
        return new Found(best.step, best.loss, best.gradient, best.slope, seen.size());
    }

    private Found at(double step) {
        Found found = evaluate.apply(step);
        seen.add(found);
        return found;
    }

    private Found zoom(Found start, Found first, Found second, double length) {
        Found low = first;
        Found high = second;
        boolean isSlow = false;
        while (steps < MAX) {
            double width = Math.abs(high.step - low.step);
            if (width * length < toleranceChange) {
                break;
            }
            double next = cubic(low, high, Math.min(low.step, high.step), Math.max(low.step, high.step));
            double max = Math.max(low.step, high.step);
            double min = Math.min(low.step, high.step);
            double margin = 0.1 * (max - min);
            if (Math.min(max - next, next - min) < margin) {
                if (isSlow || next >= max || next <= min) {
                    next = Math.abs(next - max) < Math.abs(next - min) ? max - margin : min + margin;
                    isSlow = false;
                } else {
                    isSlow = true;
                }
            } else {
                isSlow = false;
            }
            Found now = at(next);
            steps++;
            if (now.loss > start.loss + SUFFICIENT_DECREASE * now.step * start.slope || now.loss >= low.loss) {
                high = now;
                if (low.loss > high.loss) {
                    Found exchanged = low;
                    low = high;
                    high = exchanged;
                }
                continue;
            }
            if (Math.abs(now.slope) <= -CURVATURE * start.slope) {
                return now;
            }
            if (now.slope * (high.step - low.step) >= 0) {
                high = low;
            }
            low = now;
        }
        return low;
    }

    /** Returns the minimum of the cubic through two points with their slopes, within bounds. */
    private static double cubic(Found first, Found second, double min, double max) {
        double sum = first.slope + second.slope - 3 * (first.loss - second.loss) / (first.step - second.step);
        double square = sum * sum - first.slope * second.slope;
        if (!(square >= 0)) {
            return (min + max) / 2;
        }
        double root = Math.sqrt(square);
        double place = first.step <= second.step
                ? second.step
                        - (second.step - first.step)
                                * ((second.slope + root - sum) / (second.slope - first.slope + 2 * root))
                : first.step
                        - (first.step - second.step)
                                * ((first.slope + root - sum) / (first.slope - second.slope + 2 * root));
        return Math.min(Math.max(place, min), max);
    }
}
