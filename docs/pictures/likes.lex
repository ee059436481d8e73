# The words of the README's picture
John Mary := NP
likes hates := (S\NP)/NP
the := NP/N
book := N
and := conj
