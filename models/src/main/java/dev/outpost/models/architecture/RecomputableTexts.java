package dev.outpost.models.architecture;

import dev.outpost.Tensor;
import java.util.List;

/** Whole texts, which nothing is remembered of: a layer's answer can be computed again from these tensors. */
public interface RecomputableTexts extends KeyValues {
    List<Tensor> tensors();

    /** The same over other handles of these tensors. */
    KeyValues over(List<Tensor> handles);
}
