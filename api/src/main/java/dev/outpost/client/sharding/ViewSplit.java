package dev.outpost.client.sharding;

import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A view of a cut value: the dimension in which the view is cut, the cuts, and the layout of each member's view of
 * its own part. The strides determine which dimension of the view runs along the cut dimension of the value. A view
 * cannot be cut if a cut would split one of its indices, or if none of its dimensions runs along the cut dimension.
 *
 * @param split the cuts of the view
 * @param layouts for each member, the view's layout over the elements of its part
 */
record ViewSplit(Split split, List<Layout> layouts) {

    /**
     * Returns the parts of a view; empty if the view cannot be cut.
     *
     * @param base the shape of the value
     * @param cut the cuts of the value
     */
    static Optional<ViewSplit> of(Shape base, Split cut, Layout view) {
        if (base.isEmpty() || view.shape().isEmpty()) {
            return Optional.empty();
        }
        return new Derivation(base, cut, view).derive();
    }

    private static final class Derivation {
        private final Split cut;
        private final Layout view;
        /** The stride of the cut dimension, and the number of elements that this dimension spans. */
        private final long step;

        private final long period;
        private final long offset;

        Derivation(Shape base, Split cut, Layout view) {
            this.cut = cut;
            this.view = view;
            this.step = base.contiguousStrides()[cut.dim()];
            this.period = step * base.size(cut.dim());
            this.offset = view.offset() % period;
        }

        Optional<ViewSplit> derive() {
            int walking = -1;
            long reach = 0;
            for (int dim = 0; dim < view.rank(); dim++) {
                if (!isInner(dim)) {
                    if (moves(dim) && view.stride(dim) % period != 0) {
                        return Optional.empty();
                    }
                    continue;
                }
                reach += (view.shape().size(dim) - 1) * view.stride(dim);
                if (walking < 0 || view.stride(dim) > view.stride(walking)) {
                    walking = dim;
                }
            }
            if (walking < 0 || offset + reach >= period) {
                return Optional.empty();
            }
            return at(walking, reach - (view.shape().size(walking) - 1) * view.stride(walking));
        }

        private boolean moves(int dim) {
            return view.shape().size(dim) > 1 && view.stride(dim) > 0;
        }

        private boolean isInner(int dim) {
            return moves(dim) && view.stride(dim) < period;
        }

        /** @param rest the number of elements that the other inner dimensions span */
        private Optional<ViewSplit> at(int walking, long rest) {
            long stride = view.stride(walking);
            long size = view.shape().size(walking);
            List<Long> bounds = new ArrayList<>();
            bounds.add(0L);
            for (int member = 1; member < cut.members(); member++) {
                long place = cut.start(member) * step;
                long index = Math.min(size, Math.max(0, Math.ceilDiv(place - offset, stride)));
                if (index > 0 && offset + (index - 1) * stride + rest >= place) {
                    return Optional.empty();
                }
                bounds.add(index);
            }
            bounds.add(size);
            Split split = new Split(walking, bounds);
            List<Layout> layouts = new ArrayList<>();
            for (int member = 0; member < cut.members(); member++) {
                layouts.add(layout(split, member));
            }
            return Optional.of(new ViewSplit(split, layouts));
        }

        private Layout layout(Split split, int member) {
            long[] sizes = view.shape().toArray();
            long[] strides = new long[sizes.length];
            long ownPeriod = step * cut.size(member);
            for (int dim = 0; dim < sizes.length; dim++) {
                long stride = view.stride(dim);
                strides[dim] = !moves(dim) ? 0 : isInner(dim) ? stride : stride / period * ownPeriod;
            }
            sizes[split.dim()] = split.size(member);
            long start = split.size(member) == 0
                    ? 0
                    : view.offset() / period * ownPeriod
                            + offset
                            + split.start(member) * view.stride(split.dim())
                            - cut.start(member) * step;
            return Layout.of(Shape.of(sizes), strides, start);
        }
    }
}
