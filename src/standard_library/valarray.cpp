// Slices of several dimensions, whose sizes and strides lie in arrays of the program.

#include <valarray>

namespace {

std::size_t product(const std::valarray<std::size_t>& sizes) {
  std::size_t all = sizes.size() > 0;
  for (const std::size_t size : sizes) all *= size;
  return all;
}

/// The element that is number `position` where the last dimension changes fastest.
std::size_t element(std::size_t position, const std::valarray<std::size_t>& sizes,
                    const std::valarray<std::size_t>& strides) {
  std::size_t index = 0;
  for (std::size_t i = sizes.size(); i-- > 0; position /= sizes[i]) index += position % sizes[i] * strides[i];
  return index;
}

}  // namespace

namespace std {

[[gnu::weak]] gslice::_Indexer::_Indexer(size_t start, const valarray<size_t>& sizes, const valarray<size_t>& strides)
    : _M_count(1), _M_start(start), _M_size(sizes), _M_stride(strides), _M_index(product(sizes)) {
  for (size_t i = 0; i < _M_index.size(); ++i) _M_index[i] = start + element(i, sizes, strides);
}

}  // namespace std
