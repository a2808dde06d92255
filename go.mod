module example.com/svm

go 1.24
