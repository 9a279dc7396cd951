// curlpp: URL BODY [LIMIT].
#include <curlpp/Easy.hpp>
#include <curlpp/Exception.hpp>
#include <curlpp/Options.hpp>
#include <curlpp/cURLpp.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>

int main(int argc, char **argv)
{
    std::size_t left = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : -1ul;
    auto take = [&](char *bytes, std::size_t size, std::size_t count) {
        std::size_t taken = std::min(left, size * count);

        std::cout.write(bytes, static_cast<std::streamsize>(taken));
        left -= taken;
        return left ? size * count : 0;
    };

    curlpp::Cleanup cleanup;
    curlpp::Easy easy;
    easy.setOpt(curlpp::options::Url(argv[1]));
    if (*argv[2])
        easy.setOpt(curlpp::options::PostFields(argv[2]));
    easy.setOpt(curlpp::options::WriteFunction(take));
    try {
        easy.perform();
    } catch (const curlpp::LibcurlRuntimeError &error) {
        std::cerr << error.what() << '\n';
        return error.whatCode();
    }
    std::cout.flush();
}
